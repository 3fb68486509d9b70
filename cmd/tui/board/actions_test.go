package board

import (
	"strings"
	"testing"

	"chant/engine/spec/next"
	"chant/engine/work/undo"

	tea "charm.land/bubbletea/v2"
	"github.com/alecthomas/assert/v2"
)

// TestKeys_acts presses the key of every act: what is asked first, and what the desk is then told to do.
func TestKeys_acts(t *testing.T) {
	t.Parallel()
	const id = "2026-01-02-002-asks"
	for key, c := range map[string]struct {
		asks  string   // what the frame shows before the order, "" for nothing
		then  []string // keys that answer
		order string
	}{
		"w": {"", nil, "work " + id}, "W": {"Work everything that is ready?", []string{"y"}, "work all 2026-01-02-004-abc"},
		"p": {"", nil, "pause " + id}, "S": {"Stop the watch?", []string{"y"}, "watch stop"},
		"a": {"Which port?", []string{"8080", "enter"}, "answer " + id + " 8080"}, "t": {"Take over 002-asks?", []string{"y"}, "program takeover " + id},
		"V": {"", nil, "program review " + id}, "u": {"Undo the addition of x?", []string{"y"}, "undo x c"},
		"y": {"Approve 002-asks?", []string{"y"}, "approve " + id}, "r": {"Why?", []string{"too slowx", "backspace", "enter"}, "reject " + id + " too slow"},
		"m": {"Merge 002-asks?", []string{"y"}, "merge " + id}, "v": {"", nil, "verify " + id},
		"+": {"Title of the new spec", []string{"Sort dates", "enter", "tests pass `$ make`", "enter", "enter"}, "add  Sort dates tests pass `$ make`"},
		"e": {"", nil, "program edit " + id}, "R": {"Reset 002-asks?", []string{"y"}, "reset " + id}, "x": {"Cancel 002-asks?", []string{"y"}, "cancel " + id},
		"z": {"Archive 002-asks?", []string{"y"}, "archive " + id}, "o": {"", nil, "program shell " + id},
	} {
		for _, opened := range []bool{false, true} {
			desk := sample()
			switch row := &desk.cards[1].Row; key { // the state in which the act is offered
			case "p":
				row.Run = "running"
			case "y", "m":
				row.Status = "completed"
			}
			p := play(t, desk, 120, 30)
			p.selects(id)
			if opened {
				p.press("enter")
			}
			p.press(key)
			if c.asks != "" {
				assert.Zero(t, desk.orders, "%s does not ask first: %q", key, desk.orders)
				p.shows(c.asks)
				if p.m.dialog != nil && !p.m.dialog.input && !strings.Contains(p.text(), "Undo: ") && !strings.Contains(p.text(), "Undo with u") && key != "u" {
					t.Errorf("%s does not say how to undo it\n%s", key, p.text())
				}
				p.press(c.then...)
			}
			assert.Equal(t, []string{c.order}, desk.orders, "%s: %q", key, c.order)
			assert.True(t, p.m.dialog == nil, "%s: %+v, %+v", key, p.m.dialog, p.m.jobs)
			assert.Zero(t, p.m.jobs, "%s: %+v", key, p.m.jobs)
		}
	}
	for _, k := range Keys() {
		assert.False(t, k.Act != "" && k.Help == "", "%q has no help", k.Names)
	}
}

// TestKeys_added: a spec that was added is selected, so that the next key is about it.
func TestKeys_added(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 120} {
		p := play(t, sample(), width, 30)
		p.press("+", "Sort dates", "enter", "enter")
		c := p.m.card()
		assert.True(t, c != nil, "%d columns: %+v is selected", width, c)
		assert.Equal(t, "Sort dates", c.Title, "%d columns", width)
	}
}

// TestKeys_notOffered does nothing, and says why, where the state of a spec leaves no room for an act.
func TestKeys_notOffered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ id, key, says string }{
		{"2026-01-02-002-asks", "y", "002-asks is failed: there is nothing to approve"},
		{"2026-01-02-002-asks", "m", "002-asks is failed: there is nothing to merge"},
		{"2026-01-02-002-asks", "p", "002-asks is failed: there is nothing to pause"},
		{"2026-01-02-003-abc", "y", "003-abc is being worked: there is nothing to approve"},
		{"2026-01-02-008-abc", "w", "008-abc is cancelled: there is nothing to work"},
	} {
		desk := sample()
		desk.cards[2].Run = "running"
		p := play(t, desk, 80, 24)
		p.selects(c.id)
		p.press(c.key)
		p.shows(c.says)
		assert.Zero(t, desk.orders, "%s %s: %q", c.id, c.key, desk.orders)
		assert.True(t, p.m.dialog == nil, "%s %s: %q, %+v", c.id, c.key, desk.orders, p.m.dialog)
	}
}

// TestKeys_left: what is asked can be left, and nothing is done.
func TestKeys_left(t *testing.T) {
	t.Parallel()
	for _, keys := range [][]string{{"R", "n"}, {"x", "enter"}, {"r", "no", "esc"}, {"+", "esc"}, {"+", "a title", "enter", "ctrl+c"}, {"a", "esc"}, {"r", "enter", "esc"}} {
		desk := sample()
		p := play(t, desk, 80, 24)
		p.selects("2026-01-02-002-asks")
		p.press(keys...)
		p.shows("nothing was done")
		assert.Zero(t, desk.orders, "%q: %q", keys, desk.orders)
		assert.False(t, p.quits, "%q: %q", keys, desk.orders)
	}
	p := play(t, sample(), 80, 24)
	p.press("a")
	p.shows("has no open question")
}

// TestDo_error shows the message of an error and its next step, until the next key.
func TestDo_error(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"w", "e"} {
		desk := sample()
		desk.fails = errRefused
		p := play(t, desk, 80, 24)
		p.press(key)
		p.shows(`error: spec "x" is completed`, "hint: chant show x")
		p.press("down")
		if strings.Contains(p.text(), "error") {
			t.Errorf("the error stays:\n%s", p.text())
		}
	}
}

// TestQuit: an order that is being carried out is not ended by one press.
func TestQuit(t *testing.T) {
	t.Parallel()
	p := play(t, sample(), 80, 24)
	p.m.jobs = []Order{{Act: Merge, ID: "2026-01-02-004-abc"}}
	p.press("q")
	p.shows("merge 004-abc has not ended")
	p.press("down", "q")
	assert.False(t, p.quits, "another key between them, and it quits")
	p.press("q")
	assert.True(t, p.quits, "a second press does not quit")
	p = play(t, sample(), 80, 24)
	p.press("enter", "q")
	assert.False(t, p.quits, "q in a spec does not go back")
	assert.True(t, p.m.open == nil, "q in a spec does not go back")
	p.press("enter", "ctrl+c")
	assert.True(t, p.quits, "ctrl+c in a spec does not quit")
}

// TestPaste: pasted text is typed, on one line and without control characters.
func TestPaste(t *testing.T) {
	t.Parallel()
	p := play(t, sample(), 80, 24)
	p.press("/")
	p.send(tea.PasteMsg{Content: "sort\n\x1b[2Jby"})
	assert.Equal(t, "sort by", p.m.filter)
	p.press("esc", "+")
	p.send(tea.PasteMsg{Content: "A\ttitle"})
	p.shows("> A title")
}

// TestMouse: a click selects, another opens; the wheel moves and scrolls; tabs can be clicked.
func TestMouse(t *testing.T) {
	t.Parallel()
	click := func(x, y int) tea.Msg { return tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft} }
	for _, c := range []struct{ width, x, y int }{{120, 26, 5}, {80, 20, 6}} {
		p := play(t, sample(), c.width, 24)
		p.send(click(c.x, c.y))
		got := p.m.card()
		assert.True(t, got != nil, "%d columns: %+v", c.width, got)
		assert.Equal(t, "2026-01-02-005-abc", got.ID, "%d columns", c.width)
		p.send(click(c.x, 23))
		assert.True(t, p.m.open == nil, "%d columns: a click below the cards opens", c.width)
		p.send(click(c.x, c.y))
		assert.True(t, p.m.open != nil, "%d columns: a second click does not open", c.width)
		p.send(click(24, 1))
		assert.Equal(t, tabLog, p.m.open.tab, "%d columns: tab", c.width)
		top := p.m.open.pages[tabLog].top
		p.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
		assert.Equal(t, top-wheelLines, p.m.open.pages[tabLog].top, "the wheel scrolls")
		p.press("esc")
		p.send(tea.MouseWheelMsg{X: c.x, Y: c.y, Button: tea.MouseWheelUp})
		assert.NotEqual(t, "2026-01-02-005-abc", p.m.card().ID, "the wheel does not move the selection")
	}
}

// TestOpen scrolls tabs, follows a log, walks over the files of a diff, and ignores what is late.
func TestOpen(t *testing.T) {
	t.Parallel()
	p := play(t, sample(), 80, 24)
	p.selects("2026-01-02-002-asks")
	p.press("enter", "3")
	p.shows("line 99 of the log")
	p.press("home")
	p.send(Logged{})
	p.shows("line 0 of the log")
	p.press("end")
	p.send(Logged{})
	p.shows("line 99 of the log")
	p.press("tab", "n")
	p.shows("old")
	if p.press("n"); strings.Contains(p.text(), "2 files") {
		t.Errorf("the next file is not shown:\n%s", p.text())
	}
	p.press("N", "N")
	p.shows("dates.go")
	p.press("shift+tab", "shift+tab", "shift+tab", "left")
	p.shows("[6 dependencies]")
	p.send(docMsg{id: "another", tab: tabGraph, doc: func(int) ([]string, []int) { return []string{"late"}, nil }})
	assert.NotContains(t, p.text(), "late", "what is late is shown")
	desk := sample()
	desk.cards[3].ID = "2026-01-02-004-new"
	p = play(t, desk, 80, 24)
	p.selects("2026-01-02-004-new")
	p.press("enter", "3")
	p.shows("no agent has worked on it here")
	p.press("4")
	p.shows("error: it has no branch", "hint: chant work 2026-01-02-004-new")
}

// TestFootKeys: the last line fits 80 columns and names keys that exist.
func TestFootKeys(t *testing.T) {
	t.Parallel()
	for _, inSpec := range []bool{false, true} {
		line := footKeys(inSpec, func(Act) bool { return true })
		assert.True(t, len(line) <= 80, "%d columns: %q", len(line), line)
		for part := range strings.SplitSeq(line, "  ") {
			name, _, _ := strings.Cut(part, " ")
			_, known := keyOf(name)
			assert.True(t, known, "%q is no key", name)
		}
	}
	seen := map[string]bool{}
	for _, k := range Keys() {
		for _, n := range k.Names {
			assert.False(t, seen[n], "%q means two things", n)
			seen[n] = true
		}
	}
}

// TestUndo asks about the last decision, whatever spec is selected, or says why it stays.
func TestUndo(t *testing.T) {
	t.Parallel()
	desk := sample()
	desk.last = undo.Decision{Event: "merge", ID: "2026-01-02-001-abc", IDs: []string{"2026-01-02-001-abc"}, By: "Ada <a@b>", Commit: "c1", Undoable: true, Does: []string{"makes the branch again"}}
	desk.last.Event = "land"
	p := play(t, desk, 100, 30)
	p.press("u")
	p.shows("Undo the merge of 2026-01-02-001-abc? Ada", "makes the branch again")
	p.press("n")
	p.shows("nothing was done")
	p.press("u", "y")
	p.shows("done: undo")
	last := desk.orders[len(desk.orders)-1]
	assert.Equal(t, 1, len(desk.orders), "%q", desk.orders)
	assert.Equal(t, "undo 2026-01-02-001-abc c1", last, "%q", desk.orders)
	desk.last.Undoable, desk.last.Why, desk.last.Next = false, "a.txt was changed since", next.Shell("git revert c1").Because("it changes too much")
	p.press("u")
	p.shows("cannot undo the merge of 2026-01-02-001-abc: a.txt was changed since", "hint: git revert c1")
}
