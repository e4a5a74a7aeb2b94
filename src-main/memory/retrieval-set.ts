/** Test notes by file: long-lived facts and daily notes. */
export const notes: Record<string, string> = {
  'MEMORY.md': `# Memory

## People

- Marta runs the bakery on Lindenstrasse and is our most loyal customer; she pays by invoice at the end of the month.
- My sister Ilse is allergic to peanuts and carries an adrenaline pen.
- Jonas Okafor leads the platform team and prefers to be reached by phone before noon.
- Our landlord is called Mr Petrov; the rent is due on the third working day.
- Dr. Amara Singh is the children's paediatrician, her practice is closed on Wednesdays.
- The neighbour's teenage son Felix mows the lawn for fifteen euros.
- Grandfather was a ship's carpenter in Rostock and taught me to whittle.
- Priya from accounting approves travel expenses above 500 euros.

## Preferences

- I want commit messages in the imperative mood, with the reason in the body.
- Never book flights that leave before eight in the morning.
- I drink my coffee black, without sugar.
- For charts use a colour-blind safe palette, preferably viridis.
- Answers should be short and come without emoji.
- Meetings on Friday afternoons are to be declined politely.
- I read novels on paper but technical books as PDF.
- The thermostat in the study stays at nineteen degrees.

## Machines and accounts

- The backup server is called heron; it stands in the cellar and runs Debian.
- The guest wifi is named "Seagull", and its password is on the fridge.
- Production runs in Frankfurt, staging in Stockholm.
- The label printer only works when it is plugged straight into the dock, never through the hub.
- The old laptop has a swollen battery and must not be charged any more.
- Invoices are stored in the folder Finance/2026 on the shared drive.
- Router firmware must stay on 4.2, since newer ones drop IPv6.
- The domain is registered at a small company in Zurich and renews each April.
`,
  'memory/2026-09-14.md': `# 14 September 2026

The kitchen tap drips again. The plumber, Herr Brandt, can come on the 22nd between ten and twelve.

Decided to use PostgreSQL instead of MongoDB for the orders service, because we need transactions over several rows.

Ran eleven kilometres along the canal in 58 minutes; the left knee hurt afterwards.

- [x] Cancelled the gym membership, it ends in December.
- [ ] The tomato seedlings need larger pots before the weekend.
- [ ] Return the drill to Stefan.

The importer crashed on files with a byte order mark. Stripping the first three bytes fixed it.
`,
  'memory/2026-10-02.md': `# 2 October 2026

## Work

Quarterly figures: revenue grew by 14 percent, mostly from subscriptions.

The flaky login test was caused by a clock that jumps backwards in the container. Pinned the time zone to UTC.

Lena is going on parental leave from November; Tomasz takes over her on-call shifts.

We agreed to delete customer data 30 days after a contract ends.

The new intern, Yusuf, starts on Monday and gets the desk beside the window.

Search became slow because the index on created_at was missing; adding it took the query from 4 s to 20 ms.

## Home

The cat got her vaccination; the next one is due in a year.

Paid the car insurance, 612 euros for the year.

Booked the cabin in the Harz mountains for the week after Christmas.

The smoke detector in the hallway needs a 9 volt block.
`,
  'memory/2026-10-19.md': `# 19 October 2026

Bread that worked: 500 g rye flour, 400 g water, sourdough starter, twenty hours in the fridge.

Mother's seventieth birthday is on 8 March; the whole family meets at the lake.

The dishwasher shows E15 when water stands in the bottom tray; tilting the machine helps.

Learned that the violin lesson moves to Thursdays at five.

Piet recommended the film about the lighthouse keepers; he found it slow but beautiful.

The passport expires in July, so apply for a new one before the summer holiday.

The bicycle's rear tyre loses air; a new inner tube is in the shed.

Tried the vegan lasagne with lentils, everybody asked for more.

The house keys' spare set is with Mrs Albers on the second floor.
`,
  'memory/2026-11-03.md': `# 3 November 2026

## Release 2.8

- Rolled back version 2.8 because exports to Excel lost their leading zeros.
- Ticket DH-4411 tracks the memory leak in the websocket gateway.
- The certificate for the API expires on 12 January; renewal is automatic but has to be checked.
- Feature flags are kept in config/flags.yaml and need a restart to take effect.
- The penetration test found that session cookies lacked the secure attribute.

## Evening

Donated old winter coats to the shelter on Hafenstrasse.

Chess club: lost to Ansgar in the Caro-Kann, should study the advance variation.

The piano tuner said the humidity is too low and the soundboard may crack.

Started learning Portuguese, ten minutes each day with flash cards.

The water meter reads 1843 cubic metres.

Blood test was fine except for low vitamin D; take drops until spring.
`,
}

/** A question, and an excerpt of the one note that answers it. */
type Answerable = readonly [question: string, note: string]

/** Asked with some of the note's own words. */
export const plainQuestions: readonly Answerable[] = [
  ['When can the plumber come?', 'Herr Brandt'],
  ['What is the guest wifi called?', 'Seagull'],
  ['Which database do we use for the orders service?', 'PostgreSQL'],
  ['When does the passport expire?', 'passport'],
  ['Who is on parental leave?', 'Lena'],
  ['What is DH-4411 about?', 'DH-4411'],
  ['When is the rent due?', 'Petrov'],
  ['How much did we pay for the car insurance?', '612'],
  ['What does the water meter read?', '1843'],
  ['Where is the backup server?', 'heron'],
  ['Where are feature flags kept?', 'flags.yaml'],
  ['When does the violin lesson take place?', 'violin'],
  ['What did the piano tuner say?', 'soundboard'],
  ['Which router firmware should we stay on?', 'IPv6'],
  ['What does E15 on the dishwasher mean?', 'E15'],
]

/** Asked without any of the note's words. */
export const paraphrasedQuestions: readonly Answerable[] = [
  ['Which foods are dangerous for a relative of mine?', 'peanuts'],
  ['How should I be served hot beverages?', 'coffee black'],
  ['Which doctor looks after our kids?', 'Amara Singh'],
  ['How early may an airplane trip begin?', 'flights'],
  ['Which device is a fire hazard because of its damaged power cell?', 'swollen battery'],
  ['How long do we keep personal information of former clients?', '30 days'],
  ['Why did we withdraw the latest software update?', 'Rolled back'],
  ['Which foreign language am I studying?', 'Portuguese'],
  ['Which supplement did the physician advise me to swallow?', 'vitamin D'],
  ['Where will we spend our winter vacation?', 'cabin'],
  ['What security weakness did the hackers we hired discover?', 'penetration'],
  ['Who cuts the grass for us?', 'Felix'],
  ['What profession did my grandpa have?', 'carpenter'],
  ['What movie should I watch?', 'lighthouse'],
  ['Which dish without meat was popular with guests?', 'lasagne'],
  ['How did my jogging workout go?', 'eleven kilometres'],
  ['What charity did I give clothing to?', 'winter coats'],
  ['Who do I ask if I lock myself out of the apartment?', 'Albers'],
  ['What temperature should my home office have?', 'thermostat'],
  ['Did our company earn more money lately?', 'revenue grew'],
  ['When did the pet get its shot at the vet?', 'vaccination'],
  ['How do I bake a loaf?', 'rye flour'],
  ['What opening should I prepare for my next board game match?', 'Caro-Kann'],
  ['Which tool do I have to give back to a friend?', 'drill'],
  ['Which young colleague joins us soon?', 'Yusuf'],
]

/** Nothing was ever noted about these. */
export const unanswerable: readonly string[] = [
  'Which blood type does my uncle have?',
  'How tall is the Eiffel Tower?',
  'What is the airspeed of an unladen swallow?',
  'Who won the football world cup in 1998?',
  'Which Kubernetes version runs on the cluster?',
  'What is the recipe for Peking duck?',
  'When was the treaty of Westphalia signed?',
  'How many moons does Jupiter have?',
  'What is my shoe size?',
  'Which stocks are in my portfolio?',
]
