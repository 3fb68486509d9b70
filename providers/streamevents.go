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
		s.weigh(e.Spent)
	case Init, Text, Finished, Output, Stderr, Asking:
	}
	s.watch(e)
}

// weigh asks whether the session may go on. Only the first limit it meets counts.
func (s *stream) weigh(spent *Spent) {
	if s.spent = spent; spent == nil || s.limit == nil {
		return
	}
	if why := s.limit(*spent); why != "" {
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
	if s.spent == nil {
		return v
	}
	if v.Usage == nil {
		v.Usage = s.spent.Usage
	}
	if v.CostUSD == nil {
		v.CostUSD = s.spent.CostUSD
	}
	if v.Turns == 0 {
		v.Turns = s.spent.Turns
	}
	if v.Model == "" {
		v.Model = s.spent.Model
	}
	return v
}

// overdrawn gets the limit that was met; of a nil stream nothing ever comes.
func (s *stream) overdrawn() <-chan string {
	if s == nil {
		return nil
	}
	return s.broken
}
