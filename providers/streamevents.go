package providers

import (
	"slices"

	"chant/providers/text"
)

// textLimit bounds the text of an event that repeats what a tool was given or
// answered, in bytes. What the agent itself says is never cut.
const textLimit = 2 << 10

// reasonLimit bounds why a run failed, in bytes.
const reasonLimit = 400

// event frees an event of secrets, cuts it and passes it on. It looks at what the
// session has used.
func (s *stream) event(e Event) {
	e.Text, e.Tool, e.Session = s.secrets.Text(e.Text), s.secrets.Text(e.Tool), s.secrets.Text(e.Session)
	switch e.Kind {
	case ToolCall, ToolResult, Denied, Retry:
		e.Text = text.ClipBytes(e.Text, textLimit)
	case Spending:
		s.spent = e.Spent.sound(s.spent)
		s.spent.Model = s.secrets.Text(s.spent.Model)
		e.Spent = s.spent
	case Init, Text, Finished, Output, Stderr, Asking:
	}
	e.Refused = text.ClipBytes(text.OneLine(s.secrets.Text(e.Refused)), reasonLimit)
	s.patience.note(e)
	s.watch(e)
	if e.Refused != "" {
		s.hopeless(e.Refused)
	}
	if e.Kind == Spending && s.limit != nil { // the watcher has recorded it by then
		s.weigh()
	}
}

// weigh asks whether the session may go on. Only the first limit it meets counts.
func (s *stream) weigh() {
	if why := s.limit(*s.spent); why != "" {
		select {
		case s.broken <- why:
		default:
		}
	}
}

// verdict is the decoder's without secrets and with the reason in one line, with the usage
// reported before if its end reports none. Secrets are taken out first: one with two spaces in
// it would not be found in one line.
func (s *stream) verdict(exit Exit) Verdict {
	v := s.decoder.Finish(exit)
	v.Text, v.Reason = s.secrets.Text(v.Text), text.ClipBytes(text.OneLine(s.secrets.Text(v.Reason)), reasonLimit)
	v.Model, v.SessionID = s.secrets.Text(v.Model), s.secrets.Text(v.SessionID)
	for i, tool := range v.Denied {
		v.Denied[i] = s.secrets.Text(tool)
	}
	v.Denied = slices.Compact(v.Denied)
	told := Spent{Usage: v.Usage, CostUSD: v.CostUSD, Turns: v.Turns, Model: v.Model}
	all := told.sound(s.spent)
	v.Usage, v.CostUSD, v.Turns, v.Model = all.Usage, all.CostUSD, all.Turns, all.Model
	return v
}

// overdrawn gets the limit that was met; of a nil stream nothing ever comes.
func (s *stream) overdrawn() <-chan string {
	if s == nil {
		return nil
	}
	return s.broken
}
