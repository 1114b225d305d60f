// The manuals of a household: what each says of one appliance, by the name of its file.
export const manuals: Readonly<Record<string, string>> = {
  'brevia-300.md': `# Brevia 300: operating instructions

## Before the first cup

Rinse the water tank and fill it with fresh water. Let two cups of hot water run through both spouts before you brew.

## Brewing

Fill the hopper with roasted beans. Turn the dial to the wanted strength and press the cup key once for a single and twice for a double portion.

## Milk

Hang the hose into cold milk. Rinse the frother under the tap after each day of use.

## Descaling

After every 200 cups the red lamp comes on. Dissolve one sachet of citric powder in a litre of water, pour it into the tank, hold the cup key for five seconds and let the whole litre run through. Rinse with two tanks of fresh water.

## Grinder

The grinder is set finer or coarser while it turns. Never reach into it.
`,
  'adora-v600.md': `# Adora V600: operating instructions

## Loading

Plates stand in the lower basket, glasses and cups in the upper one. Knives lie with the point down in the cutlery drawer.

## Programmes

Eco takes 3 hours 40 minutes at 50 degrees and is meant for normally soiled plates. Quick takes 35 minutes and does not dry.

## Salt and rinse aid

Refill salt when the S lamp shines. Wipe away what is spilt before you start a programme.

## Faults

E15: water has collected in the base pan. Turn off the tap, pull the plug, tilt the appliance by 45 degrees so that the pan runs empty, and call the service if the code comes back.

E24: the waste water does not drain. Clean the filter and look for a kink in the hose.
`,
  'linkbox-7.md': `# Linkbox 7: guide

## Connecting

Plug the grey cable into the socket of the telephone line and the other end into the port marked DSL. The first start takes ten minutes.

## Wireless network

The name and the key of the wireless network stand on the label below the case. Change both on the page 192.168.1.1.

## Guests

Guests get a network of their own, which is switched off after midnight.

## Starting over

Press a pin into the hole on the back for ten seconds until all lamps blink. The factory state returns: names, keys and rules that you set are gone.

## Lamps

Green: connected. Red: no line. White: an update is being installed; do not pull the plug.
`,
  'sewline-22.md': `# Sewline 22: instructions

## Threading

Raise the presser foot. Lead the thread through the guides 1 to 5 and through the needle from front to back.

## Bobbin

Lay the bobbin in so that the thread unwinds anticlockwise.

## Stitches

Choose 1 for straight, 2 for zigzag, 5 for buttonholes. Loosen the upper tension for thick cloth.

## Oil

One drop of oil at each of the three red dots after eight hours of work.
`,
  'verdo-mower.md': `# Verdo 40: handbook of the mower

## Battery

Charge the battery for 90 minutes before the first use. Keep it indoors in frost.

## Height of cut

Pull the lever outwards and set it to one of six steps between 25 and 75 millimetres.

## Blade

Wear gloves. Loosen the bolt against the clock, turn the blade over once a year, and replace it after two years.

## Storing

Brush off the grass, never hose the motor, and hang the mower up with the handle folded.
`,
  'tempra-oven.md': `# Tempra 8: instructions for the oven

## First use

Heat the empty oven to 200 degrees for an hour and open a window.

## Baking

Use the middle rail for cakes and the lowest one for pizza. Hot air needs 20 degrees less than top and bottom heat.

## Self-cleaning

Take out all trays. The door locks at 300 degrees and opens again after the oven has cooled; wipe the ash away with a damp cloth.

## Lamp

Replace the lamp by one of 25 watts for 300 degrees, with the fuse switched off.
`,
};
