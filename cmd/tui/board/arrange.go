package board

import (
	"cmp"
	"slices"
	"strings"

	"chant/engine/view"
)

// wideEnough is the width from which columns are shown beside each other.
const wideEnough = 100

// wide reports whether columns are shown instead of a list.
func (m Model) wide() bool { return m.width >= wideEnough }

// order lists the columns as they are shown: beside each other as work flows, in a list by urgency.
func (m Model) order() []int {
	if m.wide() {
		return []int{0, 1, 2, 3, 4}
	}
	return []int{3, 2, 1, 0, 4}
}

// columnNames are the headings of the columns.
func columnNames() []string { return []string{"Pending", "Ready", "Running", "Needs you", "Completed"} }

// withCards returns the model with new cards.
func (m Model) withCards(cards []view.Card) Model {
	m.cards, m.loaded = cards, true
	m.hay = make([]string, len(cards))
	for i, c := range cards {
		m.hay[i] = hay(c)
	}
	return m.arrange()
}

// arrange puts the cards that the filter shows into their columns. The selection follows its
// spec; if that is gone, it stays at its place.
func (m Model) arrange() Model {
	f := parseFilter(m.filter)
	m.columns = make([][]int, len(view.Columns()))
	m.shown = 0
	for i := range m.cards {
		if c := &m.cards[i]; f.match(c, m.hay[i]) {
			at := slices.Index(view.Columns(), c.Column)
			m.columns[max(at, 0)] = append(m.columns[max(at, 0)], i)
			m.shown++
		}
	}
	slices.Reverse(m.columns[4]) // the latest first
	for c, column := range m.columns {
		for r, i := range column {
			if m.cards[i].ID == m.selected {
				m.column, m.row = c, r
				return m.settle()
			}
		}
	}
	return m.clamp()
}

// clamp moves the selection to a spec that is shown, the nearest one to its place.
func (m Model) clamp() Model {
	if m.shown == 0 {
		m.row = 0
		return m.settle()
	}
	if len(m.columns[m.column]) == 0 {
		order := m.order()
		at := slices.Index(order, m.column)
		near := slices.Clone(order)
		slices.SortStableFunc(near, func(a, b int) int {
			return cmp.Compare(abs(slices.Index(order, a)-at), abs(slices.Index(order, b)-at))
		})
		for _, c := range near {
			if len(m.columns[c]) > 0 {
				m.column, m.row = c, 0
				break
			}
		}
	}
	m.row = min(max(m.row, 0), len(m.columns[m.column])-1)
	m.selected = m.cards[m.columns[m.column][m.row]].ID
	return m.settle()
}

// card returns the selected card, nil for none.
func (m Model) card() *view.Card {
	if m.column < len(m.columns) && m.row < len(m.columns[m.column]) {
		return &m.cards[m.columns[m.column][m.row]]
	}
	return nil
}

// cardOf returns the card of a spec, nil if it is gone.
func (m Model) cardOf(id string) *view.Card {
	for i := range m.cards {
		if m.cards[i].ID == id {
			return &m.cards[i]
		}
	}
	return nil
}

// rank is the place of the selection in the list of all that is shown.
func (m Model) rank() int {
	n := m.row
	for _, c := range m.order() {
		if c == m.column {
			break
		}
		n += len(m.columns[c])
	}
	return n
}

// atRank returns the column and row of a place in the list.
func (m Model) atRank(n int) (column, row int) {
	for _, c := range m.order() {
		if n < len(m.columns[c]) {
			return c, n
		}
		n -= len(m.columns[c])
	}
	return m.column, m.row
}

// move changes the selection by so many specs: in its column, or in the whole list.
func (m Model) move(by int) Model {
	if m.shown == 0 {
		return m
	}
	if m.wide() {
		m.row += by
		return m.clamp()
	}
	m.column, m.row = m.atRank(min(max(m.rank()+by, 0), m.shown-1))
	return m.clamp()
}

// side moves the selection to the next column or group that has specs.
func (m Model) side(by int) Model {
	order := m.order()
	for at := slices.Index(order, m.column) + by; at >= 0 && at < len(order); at += by {
		if c := order[at]; len(m.columns[c]) > 0 {
			if m.column = c; !m.wide() {
				m.row = 0
			}
			return m.clamp()
		}
	}
	return m
}

// settle scrolls so that the selection is visible.
func (m Model) settle() Model {
	m.tops = slices.Clone(m.tops)
	if m.wide() {
		for c := range m.columns {
			m.tops[c] = min(m.tops[c], max(0, len(m.columns[c])-m.pageRows()))
		}
		m.tops[m.column] = scrolled(m.tops[m.column], m.row, m.pageRows())
		return m
	}
	m.top = scrolled(min(m.top, max(0, m.shown-m.pageRows())), m.rank(), m.pageRows())
	return m
}

// scrolled returns the first visible row, so that one row is visible.
func scrolled(top, row, page int) int { return max(0, min(max(top, row-page+1), row)) }

// shortID is an id without its date.
func shortID(id string) string {
	if len(id) > 11 && id[4] == '-' && id[7] == '-' && id[10] == '-' && strings.Trim(id[:10], "-0123456789") == "" {
		return id[11:]
	}
	return id
}

// shortIDs shortens the ids in a text.
func shortIDs(text string) string {
	if !strings.Contains(text, "-") {
		return text
	}
	words := strings.Split(text, " ")
	for i, w := range words {
		words[i] = shortID(w)
	}
	return strings.Join(words, " ")
}

func abs(n int) int { return max(n, -n) }
