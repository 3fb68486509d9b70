package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/providers/text"

	tea "charm.land/bubbletea/v2"
)

// crowd is what is worth showing of many runs: a line for each that is under way, how the
// others ended, and what everything waits for where nothing runs. The zero value has none.
type crowd struct {
	runs  []member // in the order in which they began
	ended map[string]int
	said  string    // the last warning that is about none of them
	ends  []endLine // the last ones, in the order in which they came
	lost  int       // ends that are not among them any more
	waits *waits    // nil while something runs
}

// endLine is how a run ended.
type endLine struct{ kind, id, text string }

// waits is what everything waits for.
type waits struct {
	what  string
	until time.Time
	ready int
}

// maxEnds bounds the ends that are kept until the view has printed them.
const maxEnds = 200

// member is a run under way.
type member struct {
	id, agent, step, text string
	begin                 time.Time
}

// ends lists the kinds of events with which a run leaves, as the last line counts them.
func ends() []string {
	return []string{"completed", "failed", "retry", "elsewhere", "paused", "settled", "later"}
}

// add takes in an event that arrived now.
func (c *crowd) add(ev engine.Event, now time.Time) {
	at := slices.IndexFunc(c.runs, func(m member) bool { return m.id == ev.ID })
	line := strings.Join(lastLines(ev.Text, 1), "")
	switch {
	case ev.Kind == "waiting" && ev.Waits != nil:
		c.waits = &waits{what: clip(plain(ev.Waits.For)), until: ev.Waits.Until, ready: ev.Waits.Ready}
	case ev.Kind == "started" && at < 0:
		c.waits = nil
		c.runs = append(c.runs, member{id: clip(plain(ev.ID)), agent: line, begin: now})
	case slices.Contains(ends(), ev.Kind) && at >= 0:
		c.runs = slices.Delete(c.runs, at, at+1)
		if c.ended == nil {
			c.ended = map[string]int{}
		}
		c.ended[ev.Kind]++
		c.ends = append(c.ends, endLine{ev.Kind, clip(plain(ev.ID)), clip(text.FirstLine(plain(ev.Text[:min(len(ev.Text), maxText)])))})
		if more := len(c.ends) - maxEnds; more > 0 {
			c.ends, c.lost = c.ends[more:], c.lost+more
		}
	case at < 0 && (ev.Kind == "warning" || ev.Kind == "drifted"):
		c.said = strings.TrimSpace(plain(ev.ID) + " " + line)
	case at >= 0:
		c.runs[at].hear(string(ev.Step), ev.Kind, line)
	}
}

// hear notes the step and the last action of a run.
func (m *member) hear(step, kind, text string) {
	if step != "" && step != m.step {
		m.step, m.text = step, ""
	}
	switch {
	case text == "" || kind == "result":
	case kind == "command":
		m.text = "$ " + text
	default:
		m.text = text
	}
}

// end has nothing to close: a run that is still here was not told of.
func (c *crowd) end(time.Time) {}

func (c *crowd) frame(now time.Time, stopping bool) tea.Msg {
	return crowdTick{c.snapshot(), now, stopping}
}

func (c *crowd) final(now time.Time, failed bool) tea.Msg {
	return crowdEnded{crowdTick{c.snapshot(), now, false}, failed}
}

// snapshot is a copy that later events do not touch.
func (c *crowd) snapshot() crowd {
	own := crowd{runs: slices.Clone(c.runs), ended: map[string]int{}, said: c.said, ends: slices.Clone(c.ends), lost: c.lost, waits: c.waits}
	for kind, n := range c.ended {
		own.ended[kind] = n
	}
	return own
}

// counts is the line below the runs.
func (c *crowd) counts() string {
	parts := []string{fmt.Sprintf("%d running", len(c.runs))}
	for _, kind := range ends() {
		if n := c.ended[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kind))
		}
	}
	return strings.Join(parts, ", ")
}
