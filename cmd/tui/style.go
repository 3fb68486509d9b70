package tui

import "charm.land/lipgloss/v2"

// Colours are those of the terminal's own palette, which its owner has made
// readable; the renderer drops them where NO_COLOR or the terminal asks for it.

func doneStyle() lipgloss.Style    { return lipgloss.NewStyle().Foreground(lipgloss.Green) }
func currentStyle() lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Cyan) }
func failedStyle() lipgloss.Style  { return lipgloss.NewStyle().Foreground(lipgloss.Red) }
func warningStyle() lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Yellow) }
func textStyle() lipgloss.Style    { return lipgloss.NewStyle().Faint(true) }

// spinner is a frame of the mark beside the step under way.
func spinner(frame int) string {
	frames := []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}
	return frames[frame%len(frames)]
}

// fit cuts plain text to a width in cells, between characters, and marks the cut.
func fit(text string, width int) string {
	switch {
	case width < 1:
		return ""
	case lipgloss.Width(text) <= width:
		return text
	case width == 1:
		return "…"
	}
	return lipgloss.NewStyle().MaxWidth(width-1).Render(text) + "…"
}
