package board

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"chant/cmd/tui/prose"
	"chant/engine/view"

	tea "charm.land/bubbletea/v2"
	"github.com/alecthomas/assert/v2"
	"github.com/charmbracelet/x/ansi"
)

// text is a frame without styles.
func (p *player) text() string {
	p.t.Helper()
	lines := p.m.Frame()
	if len(lines) != p.m.height {
		p.t.Errorf("%d lines on a terminal with %d", len(lines), p.m.height)
	}
	for i, line := range lines {
		if prose.Width(line) > p.m.width {
			p.t.Errorf("line %d takes %d of %d cells: %q", i, prose.Width(line), p.m.width, line)
		}
		lines[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func (p *player) shows(want ...string) {
	p.t.Helper()
	got := p.text()
	for _, each := range want {
		if !strings.Contains(got, each) {
			p.t.Errorf("%q is missing in\n%s", each, got)
		}
	}
}

// TestFrame_golden compares frames with files: the board, each tab, help and what is asked, in two sizes.
func TestFrame_golden(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		for name, keys := range map[string][]string{
			"board": nil, "text": {"enter"}, "criteria": {"enter", "2"}, "log": {"enter", "3"}, "diff": {"enter", "4"}, "history": {"enter", "5"},
			"dependencies": {"enter", "6"}, "help": {"?"}, "reset": {"R"}, "reject": {"r", "not so"}, "answer": {"a", "8080"}, "filtered": {"/", "label:api"},
		} {
			p := play(t, sample(), size[0], size[1])
			p.press("home")
			p.selects("2026-01-02-002-asks")
			p.press(keys...)
			compareGolden(t, fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]), p.text())
		}
	}
}

// selects moves the selection to a spec.
func (p *player) selects(id string) {
	p.t.Helper()
	p.m.selected = id
	p.m.deck = p.m.arrange()
	if c := p.m.card(); c == nil || c.ID != id {
		p.t.Fatalf("%s is not on the board", id)
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") == "1" {
		assert.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	assert.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), got, "%s:", name)
}

// TestFrame_sizes: whatever the size and what is shown, a frame fills the terminal and no line is wider.
func TestFrame_sizes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	p := play(t, sample(), 80, 24)
	screens := [][]string{{"esc", "esc"}, {"enter"}, {"right"}, {"right"}, {"right"}, {"right"}, {"right"}, {"q", "?"}, {"q", "R"}, {"n", "r", "why"}, {"esc", "/", "api"}, {"esc"}}
	for i := range 50 {
		p.press(screens[i%len(screens)]...)
		for range 3 {
			p.send(tea.WindowSizeMsg{Width: 1 + random.IntN(200), Height: 1 + random.IntN(60)})
			p.text()
		}
	}
}

// TestMove walks over the board in both forms, and keeps the selection in sight.
func TestMove(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		width int
		keys  []string
		want  int
	}{
		{120, nil, 4}, {120, []string{"down"}, 5}, {120, []string{"down", "down"}, 5}, {120, []string{"left"}, 6}, {120, []string{"right"}, 3},
		{120, []string{"right", "right", "right", "right"}, 8}, {120, []string{"left", "left"}, 6}, {120, []string{"right", "right", "down"}, 7},
		{80, nil, 4}, {80, []string{"home"}, 2}, {80, []string{"end"}, 1}, {80, []string{"home", "down", "down"}, 3}, {80, []string{"left"}, 3}, {80, []string{"right"}, 6},
	} {
		p := play(t, sample(), c.width, 24)
		p.press(c.keys...)
		got := p.m.card()
		assert.True(t, got != nil, "%q in %d columns: %+v, want %d", c.keys, c.width, got, c.want)
		assert.HasPrefix(t, shortID(got.ID), fmt.Sprintf("%03d", c.want), "%q in %d columns: %d", c.keys, c.width, c.want)
	}
	many := &fakeDesk{}
	for n := range 200 {
		many.cards = append(many.cards, card(n, view.ColumnReady, "pending", fmt.Sprintf("Spec %d.", n), ""))
	}
	for _, width := range []int{80, 120} {
		p := play(t, many, width, 20)
		for i := range 199 {
			p.press("down")
			p.shows(fmt.Sprintf("Spec %d.", i+1))
		}
		p.press("pgup", "home")
		p.shows("Spec 0.")
	}
}

// TestFilter: specs are filtered while the filter is typed, by text, label and status, and the selection stays.
func TestFilter(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]int{
		"": 8, "re": 3, "REPORT": 2, "sort name": 1, "label:api": 4, "label:": 8, "status:failed": 1, "status:needs": 2, "status:needs-you": 2, "status:pend": 4, "label:api status:ready": 1, "nowhere": 0, "003": 1,
	} {
		p := play(t, sample(), 120, 30)
		p.press("/", typed)
		if p.m.shown != want {
			t.Errorf("%q shows %d specs, want %d\n%s", typed, p.m.shown, want, p.text())
		}
		p.press("enter")
		assert.False(t, p.m.filtering, "%q: enter leaves the filter as %q", typed, p.m.filter)
		assert.Equal(t, typed, p.m.filter)
		p.press("esc")
		assert.Equal(t, 8, p.m.shown, "%q: esc leaves", typed)
	}
	p := play(t, sample(), 120, 30)
	p.selects("2026-01-02-005-abc")
	p.press("/", "日本")
	c := p.m.card()
	assert.True(t, c != nil, "%+v", c)
	assert.Equal(t, "2026-01-02-005-abc", c.ID)
	assert.Equal(t, 1, p.m.shown)
	p.press("backspace", "backspace", "ctrl+c")
	p.shows("8 specs")
}

// TestUpdate_selection: the selection follows its spec into another column; when that is gone, it stays where it was.
func TestUpdate_selection(t *testing.T) {
	t.Parallel()
	desk := sample()
	p := play(t, desk, 120, 30)
	p.selects("2026-01-02-004-abc")
	desk.cards[3].Column = view.ColumnRunning
	p.send(Changed{})
	assert.Equal(t, "2026-01-02-004-abc", p.m.card().ID)
	assert.Equal(t, 2, p.m.column)
	desk.cards = slices.Delete(desk.cards, 3, 4)
	p.send(Changed{})
	c := p.m.card()
	assert.True(t, c != nil, "%+v", c)
	assert.Equal(t, "2026-01-02-003-abc", c.ID)
	desk.cards = nil
	p.send(Changed{})
	p.shows("no specs yet: + adds one", "0 specs")
	p.press("enter", "down", "w", "c", "end")
	assert.Zero(t, desk.orders, "orders without a spec: %q", desk.orders)
}

// TestChanged: changes while the cards are read lead to one more reading, not to one each.
func TestChanged(t *testing.T) {
	t.Parallel()
	desk := sample()
	p := play(t, desk, 120, 30)
	desk.reads = 0
	first, cmd := p.m.step(Changed{})
	for range 10 {
		first, _ = first.step(Changed{})
	}
	p.m = first
	p.run(cmd)
	assert.Equal(t, 2, desk.reads)
	assert.False(t, p.m.loading, "%d readings, %t", desk.reads, p.m.loading)
}

// FuzzFilter: a filter never fails, and what matches a longer one matches its words.
func FuzzFilter(f *testing.F) {
	f.Add("label:api status:ready date")
	f.Add("::: \xff")
	c := card(1, view.ColumnReady, "pending", "Sort", "")
	f.Fuzz(func(t *testing.T, text string) {
		got := parseFilter(text)
		ascii := !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
		other := parseFilter(strings.ToUpper(text))
		assert.False(t, ascii && got.match(&c, searchText(c)) != other.match(&c, searchText(c)), "%q depends on its case", text)
		assert.Equal(t, len(strings.Fields(strings.ToLower(text))), len(got.words)+len(got.labels)+len(got.statuses), "%q", text)
	})
}
