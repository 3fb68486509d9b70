package providers

import "time"

// patience ends a run whose CLI asks the model's API again and again without an answer. Most CLIs do that ten times, with
// growing pauses, for minutes.
type patience struct {
	limit   time.Duration // 0 = none
	up      chan string   // gets the last report when the limit is met
	timer   *time.Timer   // nil while nothing is asked again
	last    chan string   // the last report, of one
	working bool          // a tool is at work, and what is asked again is beside it
}

func newPatience(l Launch, lim Limits) patience {
	p := patience{limit: lim.Answer, up: make(chan string, 1), last: make(chan string, 1)}
	if l.OwnRetries {
		p.limit = 0
	}
	return p
}

// observe looks at an event, in the goroutine of the decoder. Usage and warnings are no sign of an answer: claude reports the
// usage of one that breaks off.
func (p *patience) observe(e Event) {
	switch e.Kind {
	case ToolCall, ToolResult, Text, Finished:
		// Retries beside a tool at work hold up nothing.
		p.working = e.Kind == ToolCall
		p.end()
	case Retry:
		if p.limit == 0 || p.working {
			return
		}
		// The channel holds one report, and only the last one counts.
		select {
		case <-p.last:
		default:
		}
		p.last <- e.Text
		if p.timer == nil {
			// The timer begins with the first retry and not with each, or a CLI that asks often would never be stopped.
			p.timer = time.AfterFunc(p.limit, func() {
				// An answer may have come in the moment in which the timer fired.
				select {
				case p.up <- <-p.last:
				default:
				}
			})
		}
	case Init, Spending, Denied, Output, Stderr, Asking:
	}
}

// end forgets what was asked again.
func (p *patience) end() {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
}

// unanswered gets the last report of a CLI that has asked in vain for too long; of a nil stream nothing ever comes.
func (s *stream) unanswered() <-chan string {
	if s == nil {
		return nil
	}
	return s.patience.up
}
