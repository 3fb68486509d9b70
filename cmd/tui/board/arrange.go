package board

import (
	"cmp"
	"slices"
	"strings"

	"chant/engine/view"
)

// deck is the cards in their columns, what the filter shows of them, and which one is selected.
type deck struct {
	cards  []view.Card
	hay    []string // of each card: where the filter looks for words
	filter string

	columns  [][]int // indexes of cards, by column
	shown    int     // cards in all columns
	selected string  // the id of the selected spec
	wanted   string  // the id of a spec that is selected as soon as it is there
	column   int     // its place
	row      int
	tops     []int // the first visible row of each column
	top      int   // and of the list

	beside bool // columns are beside each other; else they are one list
	page   int  // how many cards are visible below each other
}

func newDeck() deck {
	return deck{columns: make([][]int, len(view.Columns())), tops: make([]int, len(view.Columns())), column: 1, page: 1}
}

// order lists the columns as they are shown: beside each other as work flows, in a list by urgency.
func (d deck) order() []int {
	if d.beside {
		return []int{0, 1, 2, 3, 4}
	}
	return []int{3, 2, 1, 0, 4}
}

// columnNames are the headings of the columns.
func columnNames() []string { return []string{"Pending", "Ready", "Running", "Needs you", "Completed"} }

// withCards returns the deck with new cards.
func (d deck) withCards(cards []view.Card) deck {
	d.cards = cards
	d.hay = make([]string, len(cards))
	for i, c := range cards {
		d.hay[i] = searchText(c)
	}
	return d.arrange()
}

// arrange puts the cards that the filter shows into their columns. The selection follows its
// spec; if that is gone, it stays at its place.
func (d deck) arrange() deck {
	f := parseFilter(d.filter)
	d.columns = make([][]int, len(view.Columns()))
	d.shown = 0
	for i := range d.cards {
		if c := &d.cards[i]; f.match(c, d.hay[i]) {
			at := slices.Index(view.Columns(), c.Column)
			d.columns[max(at, 0)] = append(d.columns[max(at, 0)], i)
			d.shown++
		}
	}
	// The latest come first.
	slices.Reverse(d.columns[4])
	// A new spec is selected as soon as it was read.
	if d.wanted != "" && d.cardOf(d.wanted) != nil {
		d.selected, d.wanted = d.wanted, ""
	}
	for c, column := range d.columns {
		for r, i := range column {
			if d.cards[i].ID == d.selected {
				d.column, d.row = c, r
				return d.scrollToSelection()
			}
		}
	}
	return d.clamp()
}

// withSelection returns the deck with a spec selected, as soon as it is there.
func (d deck) withSelection(id string) deck {
	d.wanted = id
	return d.arrange()
}

// clamp moves the selection to a spec that is shown, the nearest one to its place.
func (d deck) clamp() deck {
	if d.shown == 0 {
		d.row = 0
		return d.scrollToSelection()
	}
	if len(d.columns[d.column]) == 0 {
		order := d.order()
		at := slices.Index(order, d.column)
		near := slices.Clone(order)
		slices.SortStableFunc(near, func(a, b int) int {
			return cmp.Compare(abs(slices.Index(order, a)-at), abs(slices.Index(order, b)-at))
		})
		for _, c := range near {
			if len(d.columns[c]) > 0 {
				d.column, d.row = c, 0
				break
			}
		}
	}
	d.row = min(max(d.row, 0), len(d.columns[d.column])-1)
	d.selected = d.cards[d.columns[d.column][d.row]].ID
	return d.scrollToSelection()
}

// card returns the selected card, nil for none.
func (d deck) card() *view.Card {
	if d.column < len(d.columns) && d.row < len(d.columns[d.column]) {
		return &d.cards[d.columns[d.column][d.row]]
	}
	return nil
}

// cardOf returns the card of a spec, nil if it is gone.
func (d deck) cardOf(id string) *view.Card {
	for i := range d.cards {
		if d.cards[i].ID == id {
			return &d.cards[i]
		}
	}
	return nil
}

// rank is the place of the selection in the list of all that is shown.
func (d deck) rank() int {
	n := d.row
	for _, c := range d.order() {
		if c == d.column {
			break
		}
		n += len(d.columns[c])
	}
	return n
}

// atRank returns the column and row of a place in the list.
func (d deck) atRank(n int) (column, row int) {
	for _, c := range d.order() {
		if n < len(d.columns[c]) {
			return c, n
		}
		n -= len(d.columns[c])
	}
	return d.column, d.row
}

// move changes the selection by so many specs: in its column, or in the whole list.
func (d deck) move(by int) deck {
	if d.shown == 0 {
		return d
	}
	if d.beside {
		d.row += by
		return d.clamp()
	}
	d.column, d.row = d.atRank(min(max(d.rank()+by, 0), d.shown-1))
	return d.clamp()
}

// moveSideways moves the selection to the next column or group that has specs.
func (d deck) moveSideways(by int) deck {
	order := d.order()
	for at := slices.Index(order, d.column) + by; at >= 0 && at < len(order); at += by {
		if c := order[at]; len(d.columns[c]) > 0 {
			if d.column = c; !d.beside {
				d.row = 0
			}
			return d.clamp()
		}
	}
	return d
}

// scrollToSelection scrolls so that the selection is visible.
func (d deck) scrollToSelection() deck {
	d.tops = slices.Clone(d.tops)
	if d.beside {
		for c := range d.columns {
			d.tops[c] = min(d.tops[c], max(0, len(d.columns[c])-d.page))
		}
		d.tops[d.column] = scrolled(d.tops[d.column], d.row, d.page)
		return d
	}
	d.top = scrolled(min(d.top, max(0, d.shown-d.page)), d.rank(), d.page)
	return d
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

// filter is the parsed filter that a person typed. All of it has to match.
type filter struct {
	words    []string // parts of id and title
	labels   []string // beginnings of labels
	statuses []string // beginnings of a status or of the name of a column
}

// parseFilter reads a filter: text, label:NAME and status:NAME, in any order and number. A prefix without a name
// matches everything.
func parseFilter(text string) filter {
	var f filter
	for _, word := range strings.Fields(strings.ToLower(text)) {
		kind, name, found := strings.Cut(word, ":")
		switch {
		case found && kind == "label":
			f.labels = append(f.labels, name)
		case found && kind == "status":
			f.statuses = append(f.statuses, strings.ReplaceAll(name, "-", "_"))
		default:
			f.words = append(f.words, word)
		}
	}
	return f
}

// searchText is the text of a card in which words are looked for.
func searchText(c view.Card) string { return strings.ToLower(c.ID + " " + c.Title) }

// match reports whether a card is shown. hay is the text in which its words are looked for.
func (f filter) match(c *view.Card, hay string) bool {
	for _, w := range f.words {
		if !strings.Contains(hay, w) {
			return false
		}
	}
	for _, l := range f.labels {
		// A prefix without a name matches everything, so that nothing disappears while it is typed.
		if l != "" && !slices.ContainsFunc(c.Labels, func(have string) bool { return strings.HasPrefix(strings.ToLower(have), l) }) {
			return false
		}
	}
	for _, s := range f.statuses {
		if !strings.HasPrefix(c.Status, s) && !strings.HasPrefix(string(c.Column), s) && (!c.Blocked || !strings.HasPrefix("blocked", s)) {
			return false
		}
	}
	return true
}
