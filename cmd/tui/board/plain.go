package board

import (
	"context"
	"fmt"
	"io"
	"strings"

	"chant/cmd/tui/prose"
	"chant/engine/view"

	"github.com/charmbracelet/x/ansi"
)

// Plain writes the board as lines of text, by urgency, for pipes and screen readers.
func Plain(w io.Writer, r view.BoardResult) {
	m := newDeck().withCards(r.Cards)
	first := true
	for _, c := range m.order() {
		if len(m.columns[c]) == 0 {
			continue
		}
		if !first {
			fmt.Fprintln(w)
		}
		first = false
		fmt.Fprintf(w, "%s: %d\n", columnNames()[c], len(m.columns[c]))
		for _, i := range m.columns[c] {
			card := &m.cards[i]
			line := prose.Clean(card.ID) + "  " + titleOf(card)
			if note := cardNote(card); note != "" {
				line += " — " + prose.Clean(note)
			}
			fmt.Fprintln(w, "  "+line)
		}
	}
	if first {
		fmt.Fprintln(w, "No specs")
	}
	for _, q := range r.HeldQueues {
		fmt.Fprintf(w, "\n%s: %s\n", prose.Clean(q.String()), q.Next)
	}
	for i, plan := range r.Plans {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, prose.Clean(plan.String()))
	}
	if r.Fleet != nil {
		fmt.Fprintf(w, "\n%s\n", prose.Clean(r.Fleet.Detail()))
	}
}

// plainWidth is the width for which the tabs of a spec are written.
const plainWidth = 100

// PlainSpec writes the tabs of a spec as text, one after the other.
func PlainSpec(ctx context.Context, w io.Writer, desk Desk, id string) error {
	for i, name := range tabNames() {
		doc, err := readDocument(ctx, desk, id, tab(i))
		var lines []string
		switch {
		// Without its text, a spec does not exist.
		case err != nil && tab(i) == tabText:
			return err
		case err != nil:
			lines = []string{noteOf(err).text}
		default:
			lines, _ = doc(plainWidth)
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "== %s ==\n", name)
		for _, line := range lines {
			fmt.Fprintln(w, strings.TrimRight(ansi.Strip(line), " "))
		}
	}
	return nil
}
