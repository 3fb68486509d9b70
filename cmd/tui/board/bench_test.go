package board

import (
	"fmt"
	"testing"

	"chant/engine/view"

	tea "charm.land/bubbletea/v2"
)

// large is a project with 10,000 specs.
func large() *fakeDesk {
	desk := &fakeDesk{}
	for n := range 10_000 {
		c := card(n, view.Columns()[n%5], "pending", fmt.Sprintf("A spec with a title of the usual length, number %d", n), "")
		desk.cards = append(desk.cards, c)
	}
	return desk
}

// BenchmarkKey moves, filters and opens on a board with 10,000 specs. A key is to be answered within 16 ms.
func BenchmarkKey(b *testing.B) {
	for name, key := range map[string]string{"down": "down", "filter": "a", "column": "right"} {
		for _, size := range [][2]int{{120, 40}, {80, 24}} {
			b.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(b *testing.B) {
				p := play(b, large(), size[0], size[1])
				if key == "a" {
					p.press("/")
				}
				for b.Loop() {
					p.press(key)
					if key == "a" && len(p.m.filter) > 3 {
						p.m.filter = ""
					}
					_ = p.m.View()
				}
			})
		}
	}
}

// BenchmarkFirst takes in 10,000 cards and draws the first frame.
func BenchmarkFirst(b *testing.B) {
	desk := large()
	b.ReportAllocs()
	for b.Loop() {
		m, _ := New(b.Context(), desk, "large", "").step(tea.WindowSizeMsg{Width: 120, Height: 40})
		m, _ = m.step(cardsMsg{cards: desk.cards})
		_ = m.View()
	}
}
