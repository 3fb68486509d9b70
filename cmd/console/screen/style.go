package screen

import "strings"

// Style is how a text is shown, as the sequence that begins it; "" is plain.
type Style string

// The styles.
const (
	Plain  Style = ""
	Bold   Style = "\x1b[1m"
	Dim    Style = "\x1b[2m"
	Italic Style = "\x1b[3m"
	Red    Style = "\x1b[31m"
	Green  Style = "\x1b[32m"
	Yellow Style = "\x1b[33m"
	Blue   Style = "\x1b[34m"
	Cyan   Style = "\x1b[36m"
)

// reset ends every style.
const reset = "\x1b[0m"

// sequences lists what Writer passes on.
func sequences() []string {
	list := []string{reset}
	for _, s := range []Style{Bold, Dim, Italic, Red, Green, Yellow, Blue, Cyan} {
		list = append(list, string(s))
	}
	return list
}

// Paint shows a text in a style, on a terminal with styles.
func (c Canvas) Paint(style Style, text string) string {
	if !c.Styled || style == Plain || text == "" {
		return text
	}
	return string(style) + text + reset
}

// StatusStyle returns the style of a spec's status, given as its first word; a remark in parentheses may follow, as in
// "pending (ready)".
func StatusStyle(state string) Style {
	word, remark, _ := strings.Cut(state, " ")
	switch {
	case remark == "(needs input)" || remark == "(waiting)" || strings.HasPrefix(remark, "(needs approval"):
		return Yellow
	case word == "completed":
		return Green
	case word == "in_progress":
		return Cyan
	case word == "failed" || word == "invalid" || word == "missing":
		return Red
	case word == "needs_attention" || word == "paused":
		return Yellow
	case word == "cancelled" || word == "archived" || remark == "(blocked)" || strings.HasPrefix(remark, "(after "):
		return Dim
	case remark == "(ready)":
		return Blue
	}
	return Plain
}
