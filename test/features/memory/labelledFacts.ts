/**
 * Pairs of facts that people labelled by hand: pairs in which both facts say the same, and pairs in which the newer
 * fact replaces the older fact. Tests require that the rules decide at least a given share of these pairs correctly.
 */

type Pair = readonly [older: string, newer: string]

/** Pairs whose facts say the same. */
export const duplicates: ReadonlyArray<Pair> = [
  ["Ana leads the migration.", "ana leads the migration"],
  ["Ana leads the migration.", "Well, Ana really leads the migration!"],
  ["I don't like cilantro.", "I do not like cilantro"],
  ["It's parked behind the station.", "It is parked behind the station."],
  ["The release is on Thursday. Ana signs it off.", "Ana signs it off. The release is on Thursday."],
  ["The café opens at 9.", "The cafe opens at 9"],
  ["We prefer asynchronous reviews.", "We prefer asynchronus reviews."],
  ["The database lives in Frankfurt.", "The databse lives in Frankfurt."],
  ["She can't attend on Monday.", "She cannot attend on Monday."],
  ["The contract ends in March 2027.", "the contract ends in march 2027"],
  ["Our style guide forbids abbreviations.", "Our style guide forbids abbreviatons."],
  ["They've finished the audit.", "They have finished the audit."],
  ["The keys are under the mat", "The keys are under the mat."],
  ["Okay, the budget is 5000 euros.", "The budget is 5000 euros."]
]

/** Pairs whose facts say different things, although most of their words are the same. */
export const nearMisses: ReadonlyArray<Pair> = [
  ["The standup is at 9.", "The standup is at 10."],
  ["The release is on Thursday.", "The release is on Friday."],
  ["The contract ends in March.", "The contract ends in May."],
  ["Ana likes cilantro.", "Ana does not like cilantro."],
  ["Maria leads the migration.", "Mario leads the migration."],
  ["Ana manages Ben.", "Ben manages Ana."],
  ["The flight goes to Rome.", "The flight goes from Rome."],
  ["She lives in Ulm.", "He lives in Ulm."],
  ["I like C.", "I like C++."],
  ["It was -5 degrees.", "It was 5 degrees."],
  ["The margin is 5%.", "The margin is 5."],
  ["We ship on Friday.", "We ship on Friday?"],
  ["He is the manager.", "He was the manager."],
  ["The meeting is before lunch.", "The meeting is after lunch."],
  ["Ana has two kids.", "Ana has three kids."],
  ["Pay 3.5 euros.", "Pay 35 euros."],
  ["The door is never locked.", "The door is locked."],
  ["You may enter.", "You must enter."],
  ["The wall is black.", "The wall is blank."],
  ["I love the plan 😀", "I love the plan 😢"]
]

/** Pairs in which the newer fact replaces the older fact. */
export const superseding: ReadonlyArray<Pair> = [
  ["Ana lives in Berlin.", "Ana moved to Munich."],
  ["I live in Leeds.", "I relocated to York last month."],
  ["We're based in Porto.", "We are now based in Lisbon."],
  ["Jonas works at Initech.", "Jonas joined Globex."],
  ["I work for a bank.", "I work for a charity now."],
  ["Mira is single.", "Mira got engaged."],
  ["I am married.", "I am divorced."],
  ["Ana smokes cigars.", "Ana stopped smoking cigars."],
  ["Ben plays the cello.", "Ben no longer plays the cello."],
  ["I have a gym membership.", "I cancelled my gym membership."],
  ["I drive a Volvo.", "I sold the Volvo."],
  ["The team lead is Jonas.", "The team lead is Mira."],
  ["My favourite tea is oolong.", "My favourite tea is sencha."],
  ["The standup time is 9:00.", "The standup time is 9:30."],
  ["Our support address is help@example.com.", "Our support address is care@example.com."],
  ["The release day is Thursday.", "The release day is Friday."],
  ["Ana has two kids.", "Ana has three kids."],
  ["The licence costs 40 euros.", "The licence costs 55 euros."],
  ["Ben is a junior engineer.", "Ben was promoted to senior engineer."],
  ["The review is on Tuesday.", "The review was rescheduled to Wednesday."],
  ["The build uses Webpack.", "The build switched to Vite from Webpack."],
  ["I drink coffee in the morning.", "From now on I drink tea in the morning."]
]

/** Pairs whose facts can both be valid at the same time. */
export const standing: ReadonlyArray<Pair> = [
  ["Ana lives in Berlin.", "Ben moved to Munich."],
  ["Ana lives in Berlin.", "Ana likes Munich."],
  ["Ana lives in Berlin.", "Ana wants to move to Munich."],
  ["I work for a bank.", "I might work for a charity."],
  ["Ana lives in Berlin.", "Ana lives in Berlin with her family."],
  ["My sister is tall.", "My sister is a doctor."],
  ["Sprint 3 is done.", "Sprint 4 is done."],
  ["Ana read chapter 3.", "Ana read chapter 4."],
  ["Ana has two kids.", "Ana has two cats."],
  ["Ana was born in 1980.", "Ana was born in 1990."],
  ["The team lead is Jonas.", "The team lunch is Friday."],
  ["Ben plays the cello.", "Ben stopped the meeting early."],
  ["Ana likes tea.", "Ana likes coffee."],
  ["I visited Rome.", "I visited Oslo."],
  ["The office has a kitchen.", "The office has a garden."],
  ["I drive a Volvo.", "I sold the old piano."],
  ["Jonas works at Initech.", "Jonas did not join Globex."],
  ["The wiki lists the owners.", "The wiki now lists the budget of marketing."],
  ["Mira speaks French.", "Mira is now learning Greek."],
  ["My favourite tea is oolong.", "My favourite cake is carrot."]
]

/** Pairs that were written after the rules. No rule was changed because of them. */
export const testPairs: { readonly superseding: ReadonlyArray<Pair>; readonly standing: ReadonlyArray<Pair> } = {
  superseding: [
    ["Lea lives in Graz.", "Lea relocated to Vienna."],
    ["Tom works for Hooli.", "Tom is now employed at Initrode."],
    ["Ida is engaged.", "Ida got married."],
    ["Kai runs marathons.", "Kai no longer runs marathons."],
    ["The on-call engineer is Lea.", "The on-call engineer is Tom."],
    ["My favourite editor is Vim.", "My favourite editor is Helix."],
    ["The rent is 900 euros.", "The rent is 950 euros."],
    ["We have four interns.", "We have six interns."],
    ["I play tennis on Mondays.", "I quit tennis."],
    ["The sprint review is on Monday.", "The sprint review was moved to Tuesday."],
    ["Our wiki runs on Confluence.", "Our wiki was switched to Outline."],
    ["I own a cat.", "I gave my cat to my brother."]
  ],
  standing: [
    ["Lea lives in Graz.", "Lea visited Vienna."],
    ["Tom works for Hooli.", "Tom works for long hours."],
    ["Kai runs marathons.", "Kai stopped at the bakery."],
    ["The on-call engineer is Lea.", "The on-call phone is blue."],
    ["We have four interns.", "We have four meeting rooms."],
    ["I play tennis on Mondays.", "I play chess on Fridays."],
    ["The rent is 900 euros.", "The deposit is 1800 euros."],
    ["Ida reads Proust.", "Ida is now reading Joyce."],
    ["My brother is a baker.", "My brother is tall."],
    ["Our wiki runs on Confluence.", "Our shop runs on Shopify."],
    ["I own a cat.", "I own a dog."],
    ["The build takes 5 minutes.", "The deploy takes 7 minutes."]
  ]
}
