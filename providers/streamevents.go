package providers

// textLimit bounds the text of an event that repeats what a tool was given or
// answered, in bytes. What the agent itself says is never cut.
const textLimit = 2 << 10

// reasonLimit bounds why a run failed, in bytes.
const reasonLimit = 400

// event frees an event of secrets, cuts it and passes it on. It looks at what the
// session has used.
func (s *stream) event(e Event) {
	e.Text = s.secrets.Text(e.Text)
	switch e.Kind {
	case ToolCall, ToolResult, Denied, Retry:
		e.Text = Clip(e.Text, textLimit)
	case Spending:
		s.spent = e.Spent.sound(s.spent)
		e.Spent = s.spent
	case Init, Text, Finished, Output, Stderr, Asking:
	}
	s.watch(e)
	if e.Kind == Spending && s.limit != nil { // whoever watches has written it down by then
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

// verdict is the decoder's, with what was told of usage before where its end tells
// nothing.
func (s *stream) verdict(exit Exit) Verdict {
	v := s.decoder.Finish(exit)
	v.Text, v.Reason = s.secrets.Text(v.Text), Clip(s.secrets.Text(v.Reason), reasonLimit)
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
