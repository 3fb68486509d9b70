package site

// LiveSpec is what the page of a spec shows in addition to people who can act.
type LiveSpec struct {
	Actions
	Run LiveRun
}

// Actions are the decisions that a person can make on a page.
type Actions struct {
	Path        string // where forms are sent
	Said        string // what the last one has done
	Questions   []AskedQuestion
	CanWork     bool
	CanApprove  bool
	CanReject   bool
	ApproveWord string
	Seen        string // identifies what the page shows, so that nothing else is approved
	Next        string // command of the next step
}

// AskedQuestion is an open question of an agent.
type AskedQuestion struct {
	Number int
	Prompt string
}

// LiveRun is the run of a spec, as this machine knows it.
type LiveRun struct {
	ID       string
	State    string
	Cost     string
	Failed   []FailedText
	Attempts []string
	HasLog   bool
	Earlier  bool // Log is only the end
	Log      string
	Offset   int64 // in bytes, where Log ends
}

// FailedText is the end of what a failed command printed.
type FailedText struct{ Of, Text string }

// Message is a page that says why something was not done.
type Message struct {
	Heading, Text, Next string
	Root                string // leads to the folder of the first page
}

// Message renders a message.
func (th *Theme) Message(o Options, m Message) ([]byte, error) {
	return th.execute("message", o, page{Heading: m.Heading, Root: m.Root, Content: m})
}
