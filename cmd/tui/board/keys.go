package board

import "strings"

// Key is a row of the table of keys: the help of the board and the page of the manual are made of it.
type Key struct {
	Names []string // as the terminal reports them; the first is shown
	Help  string
	Act   Act // "" for a key that only moves or shows
}

// Keys lists the keys of the board, in the order of its help.
func Keys() []Key {
	return []Key{
		{Names: []string{"enter", "space"}, Help: "open the spec"},
		{Names: []string{"esc"}, Help: "back to the board; on the board: drop the filter"},
		{Names: []string{"up", "k"}, Help: "the spec or line above"},
		{Names: []string{"down", "j"}, Help: "the spec or line below"},
		{Names: []string{"left", "h"}, Help: "the column or group before; in a spec: the tab before"},
		{Names: []string{"right", "l"}, Help: "the next column or group; in a spec: the next tab"},
		{Names: []string{"pgup", "ctrl+b"}, Help: "a screen up"},
		{Names: []string{"pgdown", "ctrl+f"}, Help: "a screen down"},
		{Names: []string{"home", "g"}, Help: "the first spec or line"},
		{Names: []string{"end", "G"}, Help: "the last spec or line; a log is followed from there"},
		{Names: []string{"tab"}, Help: "the next tab of a spec; 1 to 6 open one directly"},
		{Names: []string{"shift+tab"}, Help: "the tab before"},
		{Names: []string{"n"}, Help: "in a diff: the next file"},
		{Names: []string{"N"}, Help: "in a diff: the file before"},
		{Names: []string{"/"}, Help: "filter by text, label:NAME and status:NAME"},
		{Names: []string{"w"}, Help: "work the spec, in a process of its own", Act: Work},
		{Names: []string{"W"}, Help: "work everything that is ready", Act: WorkAll},
		{Names: []string{"p"}, Help: "pause its agent; w resumes", Act: Pause},
		{Names: []string{"S"}, Help: "stop the watch: nothing further starts", Act: Stop},
		{Names: []string{"a"}, Help: "answer the question of its agent", Act: Answer},
		{Names: []string{"t"}, Help: "take over: stop its agent and continue by hand", Act: Takeover},
		{Names: []string{"y"}, Help: "approve it, or the work on it", Act: Approve},
		{Names: []string{"r"}, Help: "reject it, with a reason", Act: Reject},
		{Names: []string{"V"}, Help: "review it: walk through the work, comment, and decide", Act: Review},
		{Names: []string{"m"}, Help: "merge its branch into the target", Act: Merge},
		{Names: []string{"v"}, Help: "verify: run its criteria", Act: Verify},
		{Names: []string{"+"}, Help: "add a spec", Act: Add},
		{Names: []string{"e"}, Help: "edit it in your editor", Act: Edit},
		{Names: []string{"R"}, Help: "reset: drop its run and start over", Act: Reset},
		{Names: []string{"x"}, Help: "cancel it", Act: Cancel},
		{Names: []string{"z"}, Help: "archive it", Act: Archive},
		{Names: []string{"u"}, Help: "undo the last decision, of whatever spec, after a question", Act: Undo},
		{Names: []string{"o"}, Help: "open a shell in its worktree, else in your checkout", Act: Shell},
		{Names: []string{"c"}, Help: "copy its id"},
		{Names: []string{"ctrl+r"}, Help: "read everything again"},
		{Names: []string{"?"}, Help: "show the keys"},
		{Names: []string{"q", "ctrl+c"}, Help: "quit; in a spec, q goes back"},
	}
}

// keyOf returns the row of a key.
func keyOf(name string) (Key, bool) {
	for _, k := range Keys() {
		for _, n := range k.Names {
			if n == name {
				return k, true
			}
		}
	}
	return Key{}, false
}

// footKeys is the last line: the keys that are needed most, as far as 80 columns hold them, without acts that the state of
// the spec leaves no room for.
func footKeys(inSpec bool, offers func(Act) bool) string {
	words := []string{"enter open", "/ filter", "+ add"}
	if inSpec {
		words = []string{"esc back", "tab next tab"}
	}
	for _, k := range []struct {
		text string
		act  Act
	}{{"w work", Work}, {"a answer", Answer}, {"y approve", Approve}, {"m merge", Merge}} {
		if offers(k.act) {
			words = append(words, k.text)
		}
	}
	if inSpec {
		words = append(words, "e edit")
	}
	return strings.Join(append(words, "? all keys"), "  ")
}

// consequence says what an act will do to a spec and how to undo it; "" for an act that is not asked about.
func consequence(o Order) (what, undo string) {
	id := shortID(o.ID)
	switch o.Act {
	case WorkAll:
		return "Work everything that is ready? Agents start, as many side by side as the settings say.", "Undo: p pauses a spec, and R drops its run."
	case Stop:
		return "Stop the watch? Nothing further starts; what runs continues to its end.", "Undo: chant watch start --work"
	case Takeover:
		return "Take over " + id + "? Its agent is stopped, and you continue in its worktree.", "Undo: w gives the work back to an agent."
	case Approve:
		return "Approve " + id + "? Its work may start, or what was worked may land.", "Undo with u, or r rejects it, as long as it has not landed."
	case Merge:
		return "Merge " + id + "? Its criteria run again, and its branch lands on the target.", "Undo with u, as long as nothing that landed later needs it."
	case Reset:
		return "Reset " + id + "? Its run is dropped, branch and worktree are removed, and it is pending again.", "Undo with u: what is committed is kept as a ref below refs/chant/rescue/."
	case Cancel:
		return "Cancel " + id + "? It will not be worked, and what waits for it may start.", "Undo with u, or R makes it pending again."
	case Archive:
		return "Archive " + id + "? Its file moves to .chant/archive, a driver with its members.", "Undo with u."
	}
	return "", ""
}
