package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/alecthomas/assert/v2"
)

// of is an event of one run among many, as "ID KIND STEP TEXT"; "-" means no step.
func of(text string) engine.Event {
	part := append(strings.SplitN(text, " ", 4), "", "")
	step := journal.Step(part[2])
	if step == "-" {
		step = ""
	}
	return engine.Event{ID: part[0], Kind: part[1], Step: step, Text: part[3]}
}

// crowded is a tick so many seconds after the start, at which all events arrived.
func crowded(seconds int, events ...string) tick {
	var c runsView
	for _, text := range events {
		c.add(of(text), start())
	}
	return tick{scene: c, now: start().Add(time.Duration(seconds) * time.Second)}
}

func drawCrowd(msgs ...tea.Msg) string {
	var m tea.Model = newCrowdModel(func() {})
	for _, msg := range msgs {
		m, _ = m.Update(msg)
	}
	return sanitize(m.View().Content)
}

func TestCrowdModel_View(t *testing.T) {
	t.Parallel()
	three := []string{"001 started - claude", "002 started - main", "003 started - main", "001 begin branch x", "001 text agent one\ntwo", "002 command verify go test"}
	size := func(w, h int) tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} }
	key := tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	tests := []struct {
		name string
		msgs []tea.Msg
		want string
	}{
		{"three", []tea.Msg{crowded(75, three...)},
			"· 001  claude   agent    1m15s  two\n· 002  main     verify   1m15s  $ go test\n· 003  main              1m15s  \n⠙ 3 running\n"},
		{"one has ended", []tea.Msg{crowded(1, append(three, "002 completed - landed", "003 retry -")...)},
			"· 001  claude   agent       1s  two\n⠙ 1 running, 1 completed, 1 retry\n"},
		{"low terminal", []tea.Msg{size(80, 3), crowded(1, three...)}, "… 3 more\n⠙ 3 running\n"},
		{"drained", []tea.Msg{crowded(1, "001 started - a"), key}, "· 001  a                    1s  \n⠙ 1 running\n■ nothing more starts; Ctrl-C once more stops what runs\n"},
		{"stopping", []tea.Msg{crowded(1, "001 started - a"), key, key}, "· 001  a                    1s  \n⠙ 1 running\n■ stopping\n"},
		{"warning", []tea.Msg{crowded(1, "004 warning - skipped")}, "⠙ 0 running\n! 004 skipped\n"},
		{"ended", []tea.Msg{ended{crowded(1, "001 started - a", "001 failed - x"), true}}, "✗ 001  failed  x\n✗ 0 running, 1 failed\n"},
		{"escapes", []tea.Msg{crowded(0, "001 started - a", "001 text agent \x1b[2Jred")}, "· 001  a        agent       0s  red\n⠙ 1 running\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, drawCrowd(tt.msgs...))
		})
	}
}

// TestCrowdModel_waiting: where nothing runs the view says for what everything waits, until
// when and how many specs wait.
func TestCrowdModel_waiting(t *testing.T) {
	t.Parallel()
	c := runsView{}
	c.add(of("001 started - claude"), start())
	c.add(of("001 retry - waits for its agent"), start())
	limit := engine.Event{Kind: "waiting", Waits: &journal.Waits{For: "claude: rate limited", Until: start().Add(101 * time.Second), Ready: 7}}
	c.add(limit, start())
	at := func(seconds int) tea.Msg {
		return tick{scene: c, now: start().Add(time.Duration(seconds) * time.Second)}
	}
	got, want := drawCrowd(at(60)), "… claude: rate limited until 12:01, 41 s; 7 ready wait\n⠙ 0 running, 1 retry\n"
	assert.Equal(t, want, got)
	c.add(of("002 started - claude"), start())
	assert.NotContains(t, drawCrowd(at(101)), "limited", "something runs, and the frame is")
}

// inFront is somebody with a board and titles.
func inFront() Person {
	return Person{Board: func(string) tea.ExecCommand { return nil }, Title: func(id string) string { return "Title of " + id }}
}

// TestCrowdModel_titles: a run is shown with its title, agent, step, time and what it has used; below are the queue and keys.
func TestCrowdModel_titles(t *testing.T) {
	t.Parallel()
	var c runsView
	queued := func(n int, id, title string) *journal.Queue { return &journal.Queue{Ready: n, Next: id, Title: title} }
	c.add(engine.Event{ID: "2026-01-02-001-abc", Kind: "started", Text: "claude", Title: "Parse dates\nof all kinds", Queue: queued(2, "2026-01-02-003-abc", "Sort")}, start())
	c.add(of("2026-01-02-001-abc text agent reads"), start())
	c.add(of("2026-01-02-001-abc usage agent turn 2, 1200 tokens in, 30 out, $0.0100"), start())
	draw := func(width int) string {
		m := tea.Model(newCrowdModel(func() {}).withPerson(inFront()))
		m, _ = m.Update(tea.WindowSizeMsg{Width: width, Height: 24})
		m, _ = m.Update(tick{scene: c.snapshot(), now: start().Add(75 * time.Second)})
		return sanitize(m.View().Content)
	}
	want := "· 001-abc  Parse dates                   claude   agent    1m15s  turn 2, 1200 tokens in, 30 out, $0.0100  reads\n" +
		"⠙ 1 running; 2 ready, next: 003-abc  Sort\n  b opens the board · q stops\n"
	assert.Equal(t, want, draw(120))
	c.add(engine.Event{ID: "2026-01-02-001-abc", Kind: "completed", Text: "landed on main", Title: "Parse dates", Queue: queued(0, "", "")}, start())
	rows, _ := c.snapshot().newEnds(newCrowdModel(func() {}))
	assert.Equal(t, 1, len(rows))
	assert.Equal(t, "✓ 001-abc  completed  Parse dates: landed on main", sanitize(rows[0]))
	assert.NotContains(t, draw(120), "ready", "nothing is left, and the frame is")
}

// TestCrowdModel_idle: a watch with nothing to do says since when, and when it ends.
func TestCrowdModel_idle(t *testing.T) {
	t.Parallel()
	var c runsView
	c.add(engine.Event{Kind: "idle", Idle: &journal.Idle{Since: start(), Until: start().Add(5 * time.Minute)}}, start())
	at := func(c runsView) string { return drawCrowd(tick{scene: c.snapshot(), now: start().Add(time.Minute)}) }
	got, want := at(c), "… idle since 12:00; looks again when something changes; ends at 12:05, in 4m0s\n⠙ 0 running\n"
	assert.Equal(t, want, got)
	var ever runsView
	ever.add(engine.Event{Kind: "idle", Idle: &journal.Idle{Since: start()}}, start())
	got, want = at(ever), "… idle since 12:00; looks again when something changes\n⠙ 0 running\n"
	assert.Equal(t, want, got)
	c.add(engine.Event{ID: "001", Kind: "started", Text: "claude", Queue: &journal.Queue{}}, start())
	c.add(engine.Event{ID: "001", Kind: "completed", Text: "landed", Queue: &journal.Queue{}}, start())
	assert.NotContains(t, at(c), "idle", "something was done since, and the frame is")
}

func TestShortID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"2026-01-02-001-abc": "001-abc", "2026-01-02-001-abc.1": "001-abc.1", "001": "001", "web-2026-01-02-001": "web-2026-01-02-001", "": "", "2026-01-02-": "2026-01-02-"} {
		assert.Equal(t, want, shortID(id), "%q", id)
	}
}

func TestCrowdModel_View_fits(t *testing.T) {
	t.Parallel()
	var events []string
	for n := range 12 {
		events = append(events, fmt.Sprintf("00%d started - 日本", n), fmt.Sprintf("00%d text agent %s", n, strings.Repeat("wide 日 ", 30)))
	}
	tick := crowded(5000, events...)
	tick.stopping = true
	for width := 1; width <= 90; width += 7 {
		for height := 1; height <= 20; height++ {
			frame := drawCrowd(tea.WindowSizeMsg{Width: width, Height: height}, tick)
			lines := strings.Split(strings.TrimSuffix(frame, "\n"), "\n")
			assert.True(t, len(lines) <= max(1, height-1), "%d x %d: %d lines", width, height, len(lines))
			for _, l := range lines {
				assert.True(t, lipgloss.Width(l) <= width, "%d x %d: line %q is too wide", width, height, l)
			}
		}
	}
}

// TestWatchMany_keys: each of two presses is a word to work, which alone decides.
func TestWatchMany_keys(t *testing.T) {
	t.Parallel()
	in, keys := keyboard(t)
	var out bytes.Buffer
	words := make(chan struct{}, 4)
	interrupt := func() { words <- struct{}{} }
	stopped := errors.New("stopped")
	err := WatchMany(t.Context(), in, &out, Person{}, interrupt, func(ctx context.Context, progress func(engine.Event)) error {
		progress(of("001 started - a"))
		for range 2 {
			if _, err := io.WriteString(keys, "\x03"); err != nil {
				return err
			}
			<-words
		}
		if ctx.Err() != nil {
			t.Error("a key has ended the context")
		}
		return stopped
	})
	if !errors.Is(err, stopped) || lastMark(out.String()) != "✗" {
		t.Errorf("error %v, last mark %q", err, lastMark(out.String()))
	}
}
