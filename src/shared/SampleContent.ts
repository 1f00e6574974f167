/** The content of the sample workspace: a small company that makes bicycle trailers. */

export const sampleName = "Acme demo"
export const sampleAgent = "Demo assistant"

const topics: ReadonlyArray<
  readonly [namespace: string, entries: ReadonlyArray<readonly [key: string, value: string]>]
> = [
  [
    "product",
    [
      ["trailer-weight", "The trailer T2 weighs 9.8 kg without its cover."],
      ["trailer-load", "The trailer T2 carries 40 kg; the limit of the hitch is 45 kg."],
      ["hitch-kinds", "There are two hitches: for quick-release axles, and for thru-axles of 12 mm."],
      ["cover-material", "The cover is made of recycled polyester with a water column of 3,000 mm."],
      ["wheel-size", "Wheels have 20 inches; the tyre is 47-406."],
      ["colours", "The trailer is sold in moss green and in slate grey."],
      ["warranty", "The frame has a warranty of ten years, the cover one of two years."],
      ["spare-parts", "Spare parts are kept for twelve years after the last sale of a model."]
    ]
  ],
  [
    "support",
    [
      ["answer-time", "We answer a question of a customer within one working day."],
      ["return-window", "A customer may return a trailer within 30 days, also after using it."],
      ["squeaking-hitch", "A hitch that squeaks needs grease on its ball; it is not a defect."],
      ["lost-pin", "A lost safety pin is replaced free of charge, once."],
      ["bent-frame", "A bent frame is never repaired. It is replaced."],
      ["rain-cover-leak", "A leak at the seam is closed with the tape of the repair kit."],
      ["escalation", "Injuries are reported to Noor on the same day."],
      ["languages", "Support speaks English, German and Dutch."]
    ]
  ],
  [
    "sales",
    [
      ["price", "The trailer T2 costs 489 euros with tax."],
      ["dealer-margin", "Dealers get 28 percent from the third trailer of a year on."],
      ["bulk-discount", "Cities and companies get 12 percent from ten trailers on."],
      ["payment-terms", "Dealers pay within 30 days, new customers in advance."],
      ["delivery-time", "Delivery takes five working days in the EU."],
      ["best-month", "May is the best month: one trailer of six is sold then."],
      ["trade-fair", "We show the trailer at the fair in Friedrichshafen each summer."],
      ["competitors", "Customers compare us with two makers from Denmark and one from Oregon."]
    ]
  ],
  [
    "engineering",
    [
      ["test-cycles", "A hitch is tested with 100,000 load cycles before a change is released."],
      ["weld-check", "Every twentieth weld is checked with dye penetrant."],
      ["cad-files", "Drawings are in the folder of their model, with the revision in the name."],
      ["revision-rule", "A part with another fit gets a new number and not a new revision."],
      ["supplier-tubes", "Tubes come from two suppliers; the second one delivers in three weeks."],
      ["aluminium", "The frame is made of 7005 aluminium and is not heat-treated after welding."],
      ["paint", "Powder paint is applied at 180 degrees for 15 minutes."],
      ["noise", "The axle of the first series made noise above 25 km/h. Since serial 2400 it has other bearings."]
    ]
  ],
  [
    "team",
    [
      ["standup", "The team meets for ten minutes at 9:15, standing."],
      ["decisions", "A decision is written down with its reason and the person who made it."],
      ["holidays", "Holidays are in the calendar four weeks before."],
      ["on-call", "One person is on call for the shop each week; the list is on the board."],
      ["onboarding", "New colleagues build a trailer on their first day."],
      ["security", "Keys of programs are renewed every 90 days."],
      ["retro", "Each month ends with an hour about what to do better."],
      ["office", "The workshop is in the yard, behind the red door."]
    ]
  ]
]

export const sampleKnowledge = topics.flatMap(([namespace, entries]) =>
  entries.map(([key, value]) => ({ key: `${namespace}.${key}`, namespace, value }))
)

export const sampleProjects = [
  { name: "Trailer T3", description: "A lighter trailer that folds flat." },
  { name: "Dealer portal", description: "Dealers order and see their orders themselves." },
  { name: "Winter campaign", description: "Why a trailer is worth having in winter." }
]

/** The tasks, each with the index of its project. */
export const sampleTasks = [
  { title: "Choose the folding joint", project: 0 },
  { title: "Weigh the prototype", project: 0 },
  { title: "Order tubes for five prototypes", project: 0 },
  { title: "Draw the page of an order", project: 1 },
  { title: "Ask three dealers what they miss", project: 1 },
  { title: "Photograph the trailer in snow", project: 2 },
  { title: "Write to last winter's customers", project: 2 }
]

/** The steps of one order. The event of each step is the cause of the event of the next step. */
export const orderSteps = [
  "order.placed",
  "order.confirmed",
  "invoice.sent",
  "invoice.paid",
  "parcel.sent",
  "parcel.arrived"
]
// the number of orders; each order has six steps, so there are sixty events
export const orderCount = 10

export const sampleFacts = [
  "I prefer short answers with the number first.",
  "My working day begins at half past seven.",
  "I do not take calls on Friday afternoons.",
  "Noor decides about everything that concerns safety.",
  "The bookkeeper of the company is called Jaap.",
  "I live in Utrecht and work in the office on Tuesdays.",
  "I am allergic to hazelnuts.",
  "For travel I take the train up to eight hours.",
  "I want invoices as PDF files and not as links.",
  "The trailer T3 should weigh less than eight kilograms.",
  "I write reports in English and letters to dealers in German.",
  "My daughter's birthday is on 4 March.",
  "I find charts with more than five colours hard to read.",
  "The fair in Friedrichshafen is in my calendar for July.",
  "I like to see the source of each number.",
  "Prices are always shown with tax.",
  "The shop is closed in the week after Christmas.",
  "I have used a standing desk since last spring.",
  "Meetings without an agenda may be declined for me.",
  "The best supplier of tubes is in Eindhoven.",
  "I am learning Danish, twenty minutes a day.",
  "Our first customer still rides serial number 3.",
  "The password of the workshop's door changes each quarter.",
  "I take notes by hand and photograph them.",
  "When two dates are possible, take the later one."
]
