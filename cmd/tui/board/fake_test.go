package board

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/question"
	"chant/engine/spec"
	"chant/engine/spec/next"

	"chant/engine/verify"
	"chant/engine/view"
	"chant/engine/view/overview"
	"chant/engine/view/picture"
	"chant/engine/work/undo"

	tea "charm.land/bubbletea/v2"
)

// fakeDesk is a project that is made up. It records what it is asked to do.
type fakeDesk struct {
	mu     sync.Mutex
	cards  []view.Card
	orders []string
	last   undo.Decision
	fails  error // with which every order ends
	reads  int   // of the cards
	fleet  *view.Fleet
}

func (f *fakeDesk) Board(context.Context) (view.BoardResult, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads++
	return view.BoardResult{Cards: append([]view.Card{}, f.cards...), Fleet: f.fleet}, nil
}

const body = "# Parse dates\n\nDates are read **strictly**, as RFC 3339 has them.\n\n## Acceptance Criteria\n\n- [x] Tests pass `$ go test ./...`\n- [ ] No date without a zone `$ ! grep -r zoneless .`\n"

func (f *fakeDesk) Show(_ context.Context, id string) (view.ShowResult, error) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	r := view.ShowResult{Row: view.Row{ID: id, Branch: "chant/" + id, Labels: []string{"api"}}, Path: ".chant/specs/" + id + ".md", Body: body, Shown: body}
	r.Fields.Reason = "1 criterion does not hold"
	r.Criteria = []view.ShownCriterion{
		{Criterion: spec.Criterion{Number: 1, Text: "Tests pass `$ go test ./...`", Checked: true}},
		{Criterion: spec.Criterion{Number: 2, Checked: true, Failed: true, Text: "No date without a zone `$ ! grep -r zoneless .`"}},
	}
	r.Attempts = []view.AttemptView{{Number: 1, Opened: at, Provider: "claude", Closed: true, Reason: "1 criterion does not hold"}}
	r.Failed = []view.FailedOutput{{Of: "! grep -r zoneless .", Lines: []string{"./dates.go: zoneless(t)"}}}
	r.Evidence = &verify.RecordedEvidence{Commit: "0123456789abcdef", At: at, Status: criteria.Passed, Criteria: []criteria.Verdict{
		{Number: 1, Text: "Tests pass", Holds: true, Evidence: []criteria.Evidence{{Command: "go test ./...", Seconds: 1.5}}},
	}}
	r.Strength = &criteria.Strength{Killed: 1, Survivors: []criteria.Survivor{{Kind: "off_by_one", File: "dates.go", Line: 7, Diff: "-\tday < 32\n+\tday < 31\n"}}}
	if strings.HasSuffix(id, "asks") {
		r.Questions = []question.Question{{Number: 3, Prompt: "Which port?\nAny will do.", State: question.Open}}
	}
	return r, nil
}

func (f *fakeDesk) Log(_ context.Context, id string) (view.LogResult, error) {
	if strings.HasSuffix(id, "new") {
		return view.LogResult{}, &engine.Error{Code: engine.NotFound, Message: "no log"}
	}
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "2026-01-02T03:04:%02dZ line %d of the log\n", i%60, i)
	}
	return view.LogResult{ID: id, Content: b.String(), Running: true}, nil
}

func (f *fakeDesk) Diff(_ context.Context, id string) (view.PatchesResult, error) {
	if strings.HasSuffix(id, "new") {
		return view.PatchesResult{}, &engine.Error{Code: engine.State, Message: "it has no branch", Next: next.Work.On(id)}
	}
	patch := "index 1..2 100644\n--- a/dates.go\n+++ b/dates.go\n@@ -1,3 +1,3 @@ package dates\n same\n-old\n+new, which is a line that is longer than a terminal has columns, as lines of code sometimes are, in spite of all styles\n"
	return view.PatchesResult{ID: id, From: "1111111111", To: "2222222222", Files: []view.FilePatch{
		{Path: "dates.go", Added: 1, Removed: 1, Patch: patch}, {Path: "dates_test.go", Added: 40, Patch: "@@ -0,0 +1,40 @@\n" + strings.Repeat("+test\n", 40)},
	}}, nil
}

func (f *fakeDesk) History(_ context.Context, id string) (overview.ActivityResult, error) {
	return overview.ActivityResult{Entries: []overview.ActivityEntry{{At: time.Date(2026, 1, 2, 3, 4, 0, 0, time.Local), By: "Ada", Spec: id, Event: "add", Subject: "chant(" + id + "): Add", Commit: "abcdef0123"}}}, nil
}

func (f *fakeDesk) Graph(_ context.Context, id string) (overview.DagResult, error) {
	return overview.DagResult{Graph: picture.Graph{Specs: []picture.Spec{{ID: "2026-01-02-000-abc", Title: "First", Status: "completed", Done: true}, {ID: id, Title: "Parse dates", Status: "failed"}}, Needs: []picture.Need{{Spec: id, Needs: "2026-01-02-000-abc"}}}, Total: 2, Returned: 2}, nil
}

// Add adds a card that is ready, so that it can be seen which one is selected.
func (f *fakeDesk) Add(_ context.Context, title string, criteria []string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.orders = append(f.orders, strings.TrimSpace("add  "+title+" "+strings.Join(criteria, "+")))
	if f.fails != nil {
		return "", f.fails
	}
	added := card(99, view.ColumnReady, "pending", title, "")
	f.cards = append(f.cards, added)
	return added.ID, nil
}

func (f *fakeDesk) Last(context.Context) (undo.Decision, error) {
	return f.last, f.fails
}

func (f *fakeDesk) Do(_ context.Context, o Order) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.orders = append(f.orders, strings.TrimSpace(strings.Join([]string{string(o.Act), o.ID, o.Text, strings.Join(o.Criteria, "+")}, " ")))
	return "done: " + string(o.Act), f.fails
}

func (f *fakeDesk) Program(_ context.Context, o Order) (tea.ExecCommand, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.orders = append(f.orders, "program "+string(o.Act)+" "+o.ID)
	if f.fails != nil {
		return nil, f.fails
	}
	return noProgram{}, nil
}

type noProgram struct{}

func (noProgram) Run() error          { return nil }
func (noProgram) SetStdin(io.Reader)  {}
func (noProgram) SetStdout(io.Writer) {}
func (noProgram) SetStderr(io.Writer) {}

// card makes a card.
func card(n int, column view.Column, status, title, note string) view.Card {
	return view.Card{Row: view.Row{ID: fmt.Sprintf("2026-01-02-%03d-abc", n), Title: title, Status: status, Labels: []string{[]string{"api", "ui"}[n%2]}}, Column: column, Note: note}
}

// sample is a project with cards in every column.
func sample() *fakeDesk {
	cards := []view.Card{
		card(1, view.ColumnCompleted, "completed", "Read the input", ""),
		card(2, view.ColumnNeedsYou, "failed", "Parse dates", "1 criterion does not hold"),
		card(3, view.ColumnRunning, "in_progress", "Write the report", "running"),
		card(4, view.ColumnReady, "pending", "Sort by name", ""),
		card(5, view.ColumnReady, "pending", "日本語の題名はとても長いので切り取られる必要があります", ""),
		card(6, view.ColumnPending, "pending", "Send it by mail", "waits for 2026-01-02-003-abc"),
		card(7, view.ColumnNeedsYou, "pending", "Delete old reports after a time that the person who owns them has chosen", "waits for approval"),
		card(8, view.ColumnCompleted, "cancelled", "Print on paper", ""),
	}
	cards[1].ID, cards[1].NeedsInput = "2026-01-02-002-asks", 1
	return &fakeDesk{cards: cards, last: undo.Decision{Event: "add", ID: "x", IDs: []string{"x"}, Commit: "c", Undoable: true}}
}

// player drives a model: it has its commands carried out at once.
type player struct {
	t     testing.TB
	m     Model
	quits bool
}

func play(t testing.TB, desk Desk, width, height int) *player {
	t.Helper()
	p := &player{t: t, m: New(t.Context(), desk, "sample", "")}
	p.send(tea.WindowSizeMsg{Width: width, Height: height})
	p.run(p.m.Init())
	return p
}

func (p *player) send(msg tea.Msg) {
	next, cmd := p.m.Update(msg)
	p.m = next.(Model)
	p.run(cmd)
}

// run carries out a command, and those that its message leads to.
func (p *player) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, each := range msg {
			p.run(each)
		}
	case tea.QuitMsg:
		p.quits = true
	case nil:
	default:
		p.send(msg)
	}
}

// press sends keys by their names, and a text of several characters as what is typed.
func (p *player) press(names ...string) {
	p.t.Helper()
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "tab": tea.KeyTab,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace, "space": tea.KeySpace,
	}
	for _, name := range names {
		switch code, special := codes[name]; {
		case special:
			p.send(tea.KeyPressMsg{Code: code})
		case name == "shift+tab":
			p.send(tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift})
		case strings.HasPrefix(name, "ctrl+"):
			p.send(tea.KeyPressMsg{Code: rune(name[5]), Mod: tea.ModCtrl})
		default:
			for _, r := range name {
				p.send(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
	}
}

var errRefused = &engine.Error{Code: engine.State, Message: "spec \"x\" is completed", Next: next.Show.On("x"), Err: errors.New("x")}
