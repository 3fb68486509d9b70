package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/alecthomas/assert/v2"
)

// at is a tick so many seconds after the start.
func at(seconds int, events ...string) tick {
	return tick{scene: filled(events...), now: start().Add(time.Duration(seconds) * time.Second)}
}

// end is the last message of a run.
func end(failed bool, seconds int, events ...string) ended {
	last, b := at(seconds), filled(events...)
	b.end(last.now)
	last.scene = b
	return ended{last, failed}
}

// draw is the frame after messages, without colours.
func draw(msgs ...tea.Msg) string {
	var m tea.Model = newModel(func() {})
	for _, msg := range msgs {
		m, _ = m.Update(msg)
	}
	return sanitize(m.View().Content)
}

func TestModel_View(t *testing.T) {
	t.Parallel()
	run := []string{"branch step", "worktree step", "agent text working\nhard"}
	size := func(w, h int) tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} }
	all := []string{
		"branch step", "worktree step", "setup step", "prompt step", "agent step",
		"collect step", "verify step", "complete step", "land step", "clean text a\nb\nc\nd\ne",
	}
	tests := []struct {
		name string
		msgs []tea.Msg
		want string
	}{
		{"nothing yet", nil, ""},
		{"under way", []tea.Msg{at(75, run...)}, "✓ branch      1s\n✓ worktree    1s\n⠙ agent    1m13s\n  working\n  hard\n"},
		{"the spinner turns", []tea.Msg{at(2, run...), at(3, run...)}, "✓ branch      1s\n✓ worktree    1s\n⠹ agent       1s\n  working\n  hard\n"},
		{"ended", []tea.Msg{end(false, 4, run...)}, "✓ branch      1s\n✓ worktree    1s\n✓ agent       2s\n"},
		{"failed", []tea.Msg{end(true, 4, run...)}, "✓ branch      1s\n✓ worktree    1s\n✗ agent       2s\n"},
		{"stopping", []tea.Msg{tick{filled("agent text a"), start(), true}}, "⠙ agent       0s\n  a\n■ stopping\n"},
		{"warnings stay", []tea.Msg{end(false, 1, "agent warning retry")}, "✓ agent       1s\n! retry\n"},
		{"twenty columns", []tea.Msg{size(20, 24), at(0, "worktree text the quick brown fox jumps")}, "⠙ worktree    0s\n  the quick brown f…\n"},
		{"four columns", []tea.Msg{size(4, 24), at(0, "agent text the quick")}, "⠙ a…\n  t…\n"},
		{"one column", []tea.Msg{size(1, 24), at(0, "agent text the quick")}, "⠙\n"},
		{"wide characters", []tea.Msg{size(10, 24), at(0, "agent text 日本語日本語")}, "⠙ agent  …\n  日本語…\n"},
		{"wide characters that just fit", []tea.Msg{size(10, 24), at(0, "agent text 日本語日")}, "⠙ agent  …\n  日本語日\n"},
		{"escapes of the agent", []tea.Msg{at(0, "agent text \x1b[2J\x1b[31mred\x1b]0;t\a")}, "⠙ agent       0s\n  red\n"},
		{"low terminal", []tea.Msg{size(80, 4), at(4, run...)}, "✓ branch      1s\n✓ worktree    1s\n⠙ agent       2s\n"},
		{"one line", []tea.Msg{size(80, 1), tick{filled(run...), start(), true}}, "⠙ agent       0s\n"},
		{"twelve lines", []tea.Msg{at(9, all...)}, "✓ branch      1s\n✓ worktree    1s\n✓ setup       1s\n✓ prompt      1s\n✓ agent       1s\n✓ commit      1s\n" +
			"✓ verify      1s\n✓ complete    1s\n✓ land        1s\n⠙ clean       0s\n  d\n  e\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, draw(tt.msgs...))
		})
	}
}

func TestModel_View_fits(t *testing.T) {
	t.Parallel()
	last := at(5000, "branch step", "agent warning 日本\n👩\u200d💻 e\u0301\n"+strings.Repeat("wide 日 ", 30))
	last.stopping = true
	for width := 1; width <= 90; width++ {
		for height := 1; height <= 14; height++ {
			for _, msg := range []tea.Msg{last, ended{last, true}} {
				frame := draw(tea.WindowSizeMsg{Width: width, Height: height}, msg)
				w, h := lipgloss.Size(frame)
				assert.True(t, w <= width, "frame of %d×%d cells on a terminal of %d×%d:\n%s", w, h, width, height, frame)
				assert.True(t, h <= max(2, min(height, maxHeight+1)), "frame of %d×%d cells on a terminal of %d×%d:\n%s", w, h, width, height, frame)
			}
		}
	}
}

func TestModel_keys(t *testing.T) {
	t.Parallel()
	q, c := tea.KeyPressMsg{Code: 'q', Text: "q"}, tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	stopping := at(0, "agent step")
	stopping.stopping = true
	tests := []struct {
		name string
		msgs []tea.Msg
		want int // calls of stop
	}{
		{"q", []tea.Msg{q}, 1},
		{"ctrl-c", []tea.Msg{c}, 1},
		{"twice", []tea.Msg{c, q, c}, 1},
		{"twice, with an older tick between", []tea.Msg{c, at(0, "agent step"), c}, 1},
		{"stopping already", []tea.Msg{stopping, c}, 0},
		{"ended already", []tea.Msg{end(false, 0, "agent step"), c}, 0},
		{"another key", []tea.Msg{tea.KeyPressMsg{Code: 'x', Text: "x"}, tea.KeyPressMsg{Code: tea.KeyEsc}}, 0},
		{"pasted", []tea.Msg{tea.PasteMsg{Content: "q"}}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			var m tea.Model = newModel(func() { calls++ })
			for _, msg := range tt.msgs {
				var cmd tea.Cmd
				if m, cmd = m.Update(msg); cmd != nil {
					cmd()
				}
			}
			assert.Equal(t, tt.want, calls, "stop was called")
		})
	}
}

func TestModel_endQuits(t *testing.T) {
	t.Parallel()
	_, cmd := newModel(func() {}).Update(end(false, 0))
	assert.True(t, cmd != nil, "the last message does not end the program")
	if _, ok := cmd().(tea.QuitMsg); !ok {
		t.Errorf("the last message leads to %T, want tea.QuitMsg", cmd())
	}
}

func TestModel_noSize(t *testing.T) {
	t.Parallel()
	m, cmd := newModel(func() {}).Update(tea.WindowSizeMsg{})
	assert.True(t, cmd != nil, "a terminal without a size is taken as it is")
	if want := (tea.WindowSizeMsg{Width: defaultWidth, Height: defaultHeight}); cmd() != want {
		t.Errorf("the size becomes %v, want %v", cmd(), want)
	}
	assert.Equal(t, defaultWidth, m.(model).width)
}

// TestModel_title: the title of the run's spec is above its steps, what its agent has used and the keys are below.
func TestModel_title(t *testing.T) {
	t.Parallel()
	var b board
	b.add(of("001 begin agent x"), start())
	b.add(of("001 usage agent turn 2"), start())
	m := tea.Model(newModel(func() {}).withPerson(inFront()))
	m, ask := m.Update(tick{scene: b.snapshot(), now: start()})
	assert.True(t, ask != nil, "the title was not asked for")
	m, _ = m.Update(ask())
	got, want := sanitize(m.View().Content), "001  Title of 001\n⠙ agent       0s\n  x\n  turn 2 · b opens the board · q stops\n"
	assert.Equal(t, want, got)
	_, again := m.Update(tick{scene: b.snapshot(), now: start()})
	assert.True(t, again == nil, "the title was asked for twice")
}
