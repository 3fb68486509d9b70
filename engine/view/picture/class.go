package picture

import "strings"

// Class is the kind of a part of a picture, which decides its colours.
type Class string

// The classes of a picture.
const (
	Background Class = "back"
	Ink        Class = "ink"   // a text
	Faint      Class = "faint" // a text of less importance
	Axis       Class = "axis"  // a line behind values
	Value      Class = "value" // a bar or a line that shows values
	Other      Class = "other" // the values of a second series
	Ideal      Class = "other dashed"

	Link     Class = "link"         // a line between two boxes
	Dashed   Class = "link dashed"  // a line of less importance between two boxes
	Wrong    Class = "link wrong"   // a line that should not be there
	Plain    Class = "box"          // a box of nothing special
	BoxDone  Class = "box done"     // of what is done
	BoxReady Class = "box ready"    // of what can begin
	BoxBusy  Class = "box busy"     // of what is under way
	BoxBad   Class = "box bad"      // of what needs a person
	BoxGone  Class = "box gone"     // of what does not exist or was dropped
	OnDone   Class = "ink on-done"  // a text in the colour of a box
	OnReady  Class = "ink on-ready" // likewise
	OnBusy   Class = "ink on-busy"  // likewise
	OnBad    Class = "ink on-bad"   // likewise
)

// shade is one property of what a selector matches, with its colours on a light and on a dark background.
type shade struct{ selector, property, light, dark string }

func shades() []shade {
	return []shade{
		{".back", "fill", "#ffffff", "#0d1117"},
		{".ink", "fill", "#1f2328", "#e6edf3"},
		{".faint", "fill", "#59636e", "#9198a1"},
		{".axis", "stroke", "#d1d9e0", "#3d444d"},
		{"rect.value", "fill", "#0969da", "#4493f8"},
		{"path.value", "stroke", "#0969da", "#4493f8"},
		{"rect.other", "fill", "#8250df", "#ab7df8"},
		{"path.other", "stroke", "#8250df", "#ab7df8"},
		{".link", "stroke", "#6e7781", "#8b949e"},
		{"path.arrow", "fill", "#6e7781", "#8b949e"},
		{".wrong", "stroke", "#cf222e", "#f85149"},
		{".box", "fill", "#f6f8fa", "#151b23"},
		{".box", "stroke", "#6e7781", "#8b949e"},
		{".done", "stroke", "#1a7f37", "#3fb950"},
		{".ready", "stroke", "#0969da", "#4493f8"},
		{".busy", "stroke", "#9a6700", "#d29922"},
		{".bad", "stroke", "#cf222e", "#f85149"},
		{".on-done", "fill", "#1a7f37", "#3fb950"},
		{".on-ready", "fill", "#0969da", "#4493f8"},
		{".on-busy", "fill", "#9a6700", "#d29922"},
		{".on-bad", "fill", "#cf222e", "#f85149"},
	}
}

// fixed are the styles that do not depend on the background.
const fixed = ".chant-picture path{fill:none;stroke-width:1.5}.chant-picture .arrow{stroke:none}.chant-picture .box{stroke-width:1.5}" +
	".chant-picture .gone{stroke-dasharray:4 3}.chant-picture .dashed{stroke-dasharray:5 4}.chant-picture .wrong{stroke-width:2}"

// Styles returns the style sheet of every picture.
func Styles() string {
	var light, dark strings.Builder
	for _, s := range shades() {
		light.WriteString(".chant-picture " + s.selector + "{" + s.property + ":" + s.light + "}")
		dark.WriteString(".chant-picture " + s.selector + "{" + s.property + ":" + s.dark + "}")
	}
	return fixed + light.String() + "@media (prefers-color-scheme:dark){" + dark.String() + "}"
}
