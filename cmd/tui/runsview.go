package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/text"

	"charm.land/lipgloss/v2"
)

// runsView is the state of many runs that the view shows: a line for each that is under way, how the
// others ended, and what everything waits for where nothing runs. The zero value has none.
type runsView struct {
	runs  []member // in the order in which they began
	ended map[string]int
	said  string    // the last warning that is about none of them
	ends  []endLine // the last ones, in the order in which they came
	lost  int       // ends that are not among them any more
	waits *waits    // nil while something runs
	idle  *idle     // nil while there is something to do
	queue queue
	asks  inquiries
}

// endLine is how a run ended.
type endLine struct{ kind, id, title, text string }

// queue is the specs that are still to start.
type queue struct {
	ready       int
	next, title string // of the first one
}

// idle is a time with nothing to do; a zero until has no end.
type idle struct{ since, until time.Time }

// waits describes what all remaining specs wait for.
type waits struct {
	what  string
	until time.Time
	ready int
}

// maxEnds bounds the ends that are kept until the view has printed them.
const maxEnds = 200

// member is a run under way.
type member struct {
	id, title, agent, step, text string
	use                          string // what its agent has used so far, "" if that is not known
	begin                        time.Time
}

// endKinds lists the kinds of events with which a run leaves, as the last line counts them.
func endKinds() []string {
	return []string{"completed", "failed", "retry", "elsewhere", "paused", "settled", "later"}
}

// add takes in an event that arrived now.
func (c *runsView) add(ev engine.Event, now time.Time) {
	if c.asks.handle(ev) {
		return
	}
	at := slices.IndexFunc(c.runs, func(m member) bool { return m.id == ev.ID })
	line := strings.Join(lastLines(ev.Text, 1), "")
	if ev.Queue != nil {
		c.queue, c.idle = queue{ev.Queue.Ready, clip(sanitize(ev.Queue.Next)), clip(text.FirstLine(sanitize(ev.Queue.Title)))}, nil
	}
	switch {
	case ev.Kind == "idle" && ev.Idle != nil:
		c.idle, c.waits = &idle{ev.Idle.Since, ev.Idle.Until}, nil
	case ev.Kind == "waiting" && ev.Waits != nil:
		c.idle = nil
		c.waits = &waits{what: clip(sanitize(ev.Waits.For)), until: ev.Waits.Until, ready: ev.Waits.Ready}
	case ev.Kind == "started" && at < 0:
		c.waits = nil
		c.runs = append(c.runs, member{id: clip(sanitize(ev.ID)), title: clip(text.FirstLine(sanitize(ev.Title))), agent: line, begin: now})
	case slices.Contains(endKinds(), ev.Kind) && at >= 0:
		c.runs = slices.Delete(c.runs, at, at+1)
		if c.ended == nil {
			c.ended = map[string]int{}
		}
		c.ended[ev.Kind]++
		// The beginning of an event's text is enough for a line, and may be large.
		c.ends = append(c.ends, endLine{ev.Kind, clip(sanitize(ev.ID)), clip(text.FirstLine(sanitize(ev.Title))), clip(text.FirstLine(sanitize(ev.Text[:min(len(ev.Text), maxText)])))})
		if more := len(c.ends) - maxEnds; more > 0 {
			c.ends, c.lost = c.ends[more:], c.lost+more
		}
	case at < 0 && (ev.Kind == "warning" || ev.Kind == "drifted"):
		c.said = strings.TrimSpace(sanitize(ev.ID) + " " + line)
	case at >= 0:
		c.runs[at].update(ev.Step.Word(), ev.Kind, line)
	}
}

// update notes the step and the last action of a run.
func (m *member) update(step, kind, text string) {
	if step != "" && step != m.step {
		m.step, m.text = step, ""
	}
	switch {
	case text == "" || kind == "result":
	case kind == "usage":
		m.use = text
	case kind == "command":
		m.text = "$ " + text
	default:
		m.text = text
	}
}

// end has nothing to close: no event reported the end of a run that is still listed.
func (c *runsView) end(time.Time) {}

func (c *runsView) scene() scene { return c.snapshot() }

// snapshot is a copy that later events do not touch.
func (c *runsView) snapshot() runsView {
	// Maps and slices are copied, because the view reads them in another goroutine.
	own := runsView{runs: slices.Clone(c.runs), ended: map[string]int{}, said: c.said, ends: slices.Clone(c.ends), lost: c.lost, waits: c.waits, idle: c.idle, queue: c.queue, asks: c.asks.clone()}
	for kind, n := range c.ended {
		own.ended[kind] = n
	}
	return own
}

// openQuestions lists the questions that wait for a person.
func (c runsView) openQuestions() inquiries { return c.asks }

// counts is the line below the runs.
func (c runsView) counts() string {
	parts := []string{fmt.Sprintf("%d running", len(c.runs))}
	for _, kind := range endKinds() {
		if n := c.ended[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kind))
		}
	}
	return strings.Join(parts, ", ")
}

// queued says how many specs are still to start, and which is next; "" if none is.
func (c runsView) queued() string {
	if c.queue.ready == 0 {
		return ""
	}
	return fmt.Sprintf("%d ready, next: %s", c.queue.ready, strings.TrimSpace(shortID(c.queue.next)+"  "+c.queue.title))
}

// shortID is an id without its day: within one view, few specs share a number.
func shortID(id string) string {
	if len(id) > 11 && id[4] == '-' && id[7] == '-' && id[10] == '-' {
		return id[11:]
	}
	return id
}

// newEnds draws the ends that are not above the frame yet. They are narrower than the terminal,
// which would wrap them otherwise.
func (c runsView) newEnds(m model) (rows []string, to int) {
	for _, e := range c.ends[min(len(c.ends), max(0, m.printed-c.lost)):] {
		style, glyph := textStyle(), "·"
		switch e.kind {
		case "completed":
			style, glyph = doneStyle(), "✓"
		case "failed":
			style, glyph = failedStyle(), "✗"
		case "retry":
			style, glyph = warningStyle(), "↻"
		case "paused":
			style, glyph = warningStyle(), "■"
		}
		said := e.kind + "  " + e.text
		if e.title != "" {
			said = e.kind + "  " + fit(e.title, maxTitle) + ": " + e.text
		}
		rows = append(rows, drawRow(style, glyph, shortID(e.id)+"  "+said, max(1, m.width-1)))
	}
	return rows, c.lost + len(c.ends)
}

// rows lays out at most limit lines. The counts come first when room is scarce, then
// how it stops, then the runs.
func (c runsView) rows(m model, limit int) []string {
	foot := []string{c.foot(m)}
	if how := stoppingText(m); how != "" && limit > 1 {
		foot = append(foot, m.row(warningStyle(), "■", how))
	} else if c.said != "" && limit > 1 {
		foot = append(foot, m.row(warningStyle(), "!", c.said))
	}
	if w := c.waiting(m); w != "" && limit > len(foot) {
		foot = append([]string{m.row(warningStyle(), "…", w)}, foot...)
	}
	if hint := m.keys(); hint != "" && limit > len(foot)+max(1, len(c.runs)) {
		foot = append(foot, m.row(textStyle(), " ", hint))
	}
	var rows []string
	// They are no longer printed above.
	if m.ended && !m.printing {
		rows, _ = c.newEnds(m)
		rows = keepLast(rows, limit-len(foot))
	}
	for i, r := range c.runs {
		room := limit - len(foot) - len(rows)
		// The last line says how many are hidden, unless it is the only one that is left.
		if hidden := len(c.runs) - i; room < 1 || room == 1 && hidden > 1 {
			if room == 1 {
				rows = append(rows, m.row(textStyle(), "…", fmt.Sprintf("%d more", hidden)))
			}
			break
		}
		rows = append(rows, r.row(m))
	}
	return append(rows, foot...)
}

// waiting says what everything waits for, or since when there is nothing to do, "" where something runs.
func (c runsView) waiting(m model) string {
	switch {
	case m.ended || len(c.runs) > 0:
		return ""
	case c.idle != nil:
		return c.idle.text(m)
	case c.waits == nil:
		return ""
	}
	w := c.waits
	left := max(0, w.until.Sub(m.now)).Round(time.Second)
	what := w.what
	if what == "" {
		what = "the next retry"
	}
	return fmt.Sprintf("%s until %s, %s; %d ready wait", what, w.until.In(m.now.Location()).Format("15:04"), spanText(left), w.ready)
}

// text says since when there is nothing to do, and when the watch ends.
func (i idle) text(m model) string {
	clock := func(t time.Time) string { return t.In(m.now.Location()).Format("15:04") }
	said := "idle since " + clock(i.since) + "; looks again when something changes"
	if i.until.IsZero() {
		return said
	}
	return fmt.Sprintf("%s; ends at %s, in %s", said, clock(i.until), spanText(max(0, i.until.Sub(m.now)).Round(time.Second)))
}

// spanText writes a time as "41 s" or "1m41s".
func spanText(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return d.String()
}

func (c runsView) foot(m model) string {
	switch {
	case m.ended && m.failed:
		return m.row(failedStyle(), "✗", c.counts())
	case m.ended:
		return m.row(doneStyle(), "✓", c.counts())
	}
	said := c.counts()
	if queued := c.queued(); queued != "" && c.waiting(m) == "" {
		said += "; " + queued
	}
	return m.row(currentStyle(), spinner(m.frame), said)
}

// stoppingText says how far stopping has come.
func stoppingText(m model) string {
	switch {
	case m.ended:
		return ""
	case m.isStopping():
		return "stopping"
	case m.presses == 1:
		return "nothing more starts; Ctrl-C once more stops what runs"
	}
	return ""
}

// maxTitle is how much of a title the line of a run has, in cells.
const maxTitle = 28

// row draws a run: what it is, who works it, its step and time, what it has used, and what it does.
func (r member) row(m model) string {
	elapsed := max(0, m.now.Sub(r.begin)).Truncate(time.Second)
	parts := []string{shortID(r.id)}
	if r.title != "" {
		parts = append(parts, pad(fit(r.title, maxTitle), min(maxTitle, m.width/3)))
	}
	parts = append(parts, fmt.Sprintf("%-8s %-8s %5s", r.agent, r.step, elapsed))
	if r.use != "" {
		parts = append(parts, r.use)
	}
	return m.row(currentStyle(), "·", strings.Join(append(parts, r.text), "  "))
}

// pad is a text with blanks up to a width in cells, and cut to it.
func pad(text string, width int) string {
	text = fit(text, width)
	return text + strings.Repeat(" ", max(0, width-lipgloss.Width(text)))
}
