/** The notes of an invented workshop by the sea. The demo searches them if the user names no collection. */

export const projects = ["Harbour crane", "Wind tunnel"]

/** The notes, each in the form `{ kind, title, text, project? }`. */
export const notes = [
  {
    kind: "note",
    project: "Wind tunnel",
    title: "Why a wing stalls",
    text: "The lift of a wing grows with the angle of attack up to about fifteen degrees. Beyond that the flow separates from the upper surface, the lift falls suddenly and the drag rises. A slot behind the leading edge delays the separation."
  },
  {
    kind: "note",
    project: "Wind tunnel",
    title: "Boundary layer on a flat plate",
    text: "Near the wall the air is slowed down by friction. The boundary layer is laminar at first and becomes turbulent at a Reynolds number of about half a million, earlier on a rough surface. The turbulent layer is thicker and rubs more."
  },
  {
    kind: "note",
    project: "Wind tunnel",
    title: "Heating of a blunt nose at high speed",
    text: "A blunt body pushes a detached shock wave in front of it. Most of the heat stays in the air between the shock and the body, so a blunt nose is heated less than a sharp one. The largest heat flux is at the stagnation point."
  },
  {
    kind: "note",
    project: "Wind tunnel",
    title: "Flutter of thin panels",
    text: "A thin panel in a fast flow begins to vibrate by itself when bending and twisting feed each other. Stiffer edges and a little damping move the onset of flutter to a higher speed."
  },
  {
    kind: "task",
    project: "Wind tunnel",
    title: "Calibrate the balance of the wind tunnel",
    text: "Hang known weights on all three axes of the balance and note the readings. Repeat after an hour of running, because the strain gauges drift when they warm up."
  },
  {
    kind: "note",
    project: "Harbour crane",
    title: "Brake linings of the northern crane",
    text: "The linings of the hoist brake wear about one millimetre in a season. Replace them below six millimetres, and check the gap of the brake after a week."
  },
  {
    kind: "task",
    project: "Harbour crane",
    title: "Inspect the hoist rope",
    text: "Look for broken wires along the whole rope and count those within six diameters. A rope with ten broken wires is taken off. Grease the rope before winter."
  },
  {
    kind: "note",
    project: "Harbour crane",
    title: "Slewing ring takes grease every fifty hours",
    text: "Grease is pressed in at eight nipples while the crane turns slowly. Too little of it and the raceway rusts from the salt in the air."
  },
  {
    kind: "note",
    title: "Cavitation in the cooling pump",
    text: "When the pressure at the inlet of the pump falls below the vapour pressure, bubbles form and collapse on the impeller. It sounds like gravel and pits the metal. A larger inlet pipe or colder water prevents cavitation."
  },
  {
    kind: "note",
    title: "Concrete in frost",
    text: "Fresh concrete must not freeze before it has reached five newtons per square millimetre. Below five degrees warm the mixing water and cover the concrete with mats for three days."
  },
  {
    kind: "note",
    title: "Balancing battery cells",
    text: "Cells in series drift apart. The charger takes a little current past the fullest cells until all of them have the same voltage. A cell that needs it every day is near its end."
  },
  {
    kind: "task",
    title: "Rehearse the restore of the backup",
    text: "A backup that was never restored is a hope. Once in a quarter restore the database on an empty machine, count the rows and write down how long it took."
  },
  {
    kind: "task",
    title: "Renew the certificate of the mail server",
    text: "The certificate ends in spring. Order the new one four weeks before, install it together with its chain, and restart the server in the evening."
  },
  {
    kind: "note",
    title: "Soldering without lead",
    text: "Solder without lead melts at about 220 degrees and wets badly when the tip is dirty. Hold the tip at 350 degrees, clean it often and leave it tinned."
  },
  {
    kind: "note",
    title: "Ball bearings run hot when they are overfilled",
    text: "A bearing that is packed full of grease churns it and gets hot. A third of the free space is enough. Write the date on the housing."
  }
]

/** Questions in everyday language. Each has the title of the note that answers it. */
export const questions = [
  {
    text: "at what angle of attack does the lift of a wing fall",
    answer: "Why a wing stalls"
  },
  {
    text: "where on a flat plate does the laminar boundary layer become turbulent",
    answer: "Boundary layer on a flat plate"
  },
  {
    text: "is a blunt nose heated less than a sharp one at high speed",
    answer: "Heating of a blunt nose at high speed"
  },
  {
    text: "how cold may it be when fresh concrete is covered with mats",
    answer: "Concrete in frost"
  }
]
