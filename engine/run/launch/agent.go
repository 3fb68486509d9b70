package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/run/attempt"
	"chant/engine/run/guard"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
	"chant/providers"
	"chant/providers/relay"
	"chant/providers/secret"
	"chant/text"
)

// Launcher starts agents, with work or with a question, follows their output and records what they use.
type Launcher struct {
	*attempt.Attempt
	Trees    *tree.Trees
	Places   *tree.Places
	Guard    *guard.Guard
	Briefing *Briefing

	Provider providers.Provider
	MCP      *providers.MCPServer
	// Price returns what tokens of a model cost, in US dollars; it may be nil, or return nil, if that is unknown.
	Price func(model string, u providers.Usage) *float64
	// Allow returns the limit that an agent's use has met, zero if the agent may continue; nil = it always may.
	Allow func(journal.Session, providers.Spent) LimitMet
	// Left returns how long this agent may still work by limits that it shares, and the limit, "" for none; nil =
	// without such limits. It is called while the agent works.
	TimeLeft func() (time.Duration, string)

	Commands []string // of chant, that an agent behind a wall may have run outside of it

	// What is found about the agent that ended last.
	Agent   *journal.AgentReport // nil before; of an attempt that resumes, what its journal has
	Deleted *journal.Failure     // set if the branch was deleted while the agent worked, and was restored
	Stderr  string               // the end of the agent's standard error
	Refused []string             // paths that the wall has refused to the agent

	session journal.Session // of the agent at work, or of the last one
	notes   int             // events that said something about it
	turn    sync.Mutex      // of those who report progress and write the log while the agent works
	logErr  error           // of writing the log then
}

// Resume takes the report that the journal has of the agent of an attempt that resumes, nil for none.
func (l *Launcher) Resume(report *journal.AgentReport) { l.Agent = report }

// RunAgent runs the agent CLI to its end, checks its output and returns its report. A failure of the agent is not an
// error yet, since what it left is collected first.
func (l *Launcher) RunAgent(ctx context.Context) (*journal.AgentReport, error) {
	s, err := l.Trusted(ctx)
	if err == nil {
		err = l.runWalled(ctx, s)
	}
	if err == nil {
		err = l.Briefing.CheckOutput(ctx, s, l.Agent)
	}
	if err != nil {
		return nil, err
	}
	return l.Agent, l.logErr
}

// ResolveConflicts is RunAgent for an agent that resolves the conflicts of a merge, and so has no output of the spec.
func (l *Launcher) ResolveConflicts(ctx context.Context) (*journal.AgentReport, error) {
	s, err := l.Trusted(ctx)
	if err == nil {
		err = l.runWalled(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	return l.Agent, l.logErr
}

// runWalled starts the agent behind its wall, with a broker for what it may have done outside of it, and examines what it
// has left.
func (l *Launcher) runWalled(ctx context.Context, s *spec.File) (err error) {
	launch, bounds, err := l.launch(s)
	if err == nil {
		err = l.buildBounds(&bounds, launch)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bounds.Clear()) }()
	// The socket exists before the agent starts and looks for it.
	broker, err := l.openBroker(ctx, &bounds, &launch)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, broker.close()) }()
	can, err := l.Sandbox().ReachOf(&bounds)
	if err != nil {
		return err
	}
	// After everything that chant itself writes around the run, and before the agent can write.
	before, err := l.Guard.RecordAround(ctx, can)
	if err != nil {
		return err
	}
	// Journaled before the start: a killed run must show that an agent may have worked.
	if err := l.openSession(); err != nil {
		return err
	}
	mend, err := tree.GuardGitFiles(context.WithoutCancel(ctx), l.Trees, l.Trees.Tree)
	if err != nil {
		return err
	}
	out, err := l.runToEnd(ctx, launch, l.watch(broker, &bounds))
	if err != nil {
		return err
	}
	if err := l.recordEnd(out, launch); err != nil {
		return err
	}
	return l.examine(ctx, before, mend)
}

// watch returns what follows the agent: its process, its output and what the wall refuses to it.
func (l *Launcher) watch(broker *broker, bounds *sandbox.Bounds) providers.Watch {
	return providers.Watch{
		Started: func(p providers.Process, owns func(int) bool) {
			broker.setOwner(owns)
			// Output, questions and refusals come from goroutines of their own, and share log and progress.
			l.turn.Lock()
			defer l.turn.Unlock()
			l.logErr = errors.Join(l.Journal.Record(journal.Agent, journal.Note, p), l.beginSession(p), l.Log.Line("agent started"))
		},
		Event: func(ev providers.Event) {
			l.turn.Lock()
			defer l.turn.Unlock()
			if err := errors.Join(l.recordEvent(ev), l.noteRefused(bounds, ev)); err != nil {
				l.logErr = err
			}
		},
	}
}

// runToEnd runs the CLI, beside a config of chant and with its questions announced. Config and git's settings of the
// worktree are as before when it returns.
func (l *Launcher) runToEnd(ctx context.Context, launch providers.Launch, watch providers.Watch) (providers.Outcome, error) {
	// After the reading of the surroundings, which would count the file as a change.
	removeConfig, err := l.placeConfig(ctx, launch)
	if err != nil {
		return providers.Outcome{}, err
	}
	restore, err := l.keepSettings()
	if err != nil {
		return providers.Outcome{}, err
	}
	stop := l.listen(ctx)
	permit := tree.GuardPermissions(l.Trees, journal.Agent)
	out, err := providers.Run(ctx, launch, l.limits(), watch)
	// Permissions first, without which nothing can be written. Settings and config are put back before anything runs git in
	// the worktree.
	return out, errors.Join(err, permit(), stop(), restore(), removeConfig())
}

// recordEnd keeps the report of an agent that has ended, and records it.
func (l *Launcher) recordEnd(out providers.Outcome, launch providers.Launch) error {
	l.Agent, l.Stderr = l.report(out), out.StderrTail
	// What the agent has used is journaled first, no matter what is found below.
	if err := l.closeSession(l.Agent); err != nil {
		return err
	}
	if err := l.Log.Line("agent ended: " + l.Agent.Summary()); err != nil {
		return err
	}
	return l.warnUnusedServer(launch)
}

// examine makes worktree and branch usable for git again, and adds to the agent's report what it has changed beside its
// work since before. Error: the context's, if the agent was stopped.
func (l *Launcher) examine(ctx context.Context, before journal.Before, mend func() ([]string, error)) error {
	// A stop ends the agent, but what it left must be found and repaired all the same.
	calm := context.WithoutCancel(ctx)
	// Before any git command, which could wait at a pipe or obey what the agent has put there.
	pipes, err := l.openTree(calm, mend)
	if err != nil {
		return err
	}
	// Before side effects are looked for, which compare with the branch.
	if err := l.restoreBranch(calm, before.Tip); err != nil {
		return err
	}
	found, err := l.Guard.CompareAfterAgent(calm, before, pipes)
	if err != nil {
		return err
	}
	l.Agent.Behind, l.Agent.Around = found.Behind, found.Around
	if err := ctx.Err(); err != nil {
		// The report of a stopped agent is not kept, so its side effects are recorded by themselves.
		return errors.Join(err, l.Guard.RecordSideEffects(found))
	}
	return nil
}

func (l *Launcher) launch(s *spec.File) (providers.Launch, sandbox.Bounds, error) {
	state, err := l.Store.CacheDir(l.Job.ID)
	if err != nil {
		return providers.Launch{}, sandbox.Bounds{}, err
	}
	in := l.invocation(state, l.Trees.Tree)
	in.SpecFile, in.Branch, in.Attempt = l.SpecFile(l.Trees.Tree), l.Job.Branch, l.Job.Attempt
	in.MCP, in.Extra, in.Session, in.Before = l.MCP, l.Trees.PortEnv(), l.Job.Session, l.earlierUse()
	if in.Sessions, err = l.Store.SessionsDir(); err != nil {
		return providers.Launch{}, sandbox.Bounds{}, err
	}
	in.Script, _ = s.Script()
	return l.prepare(in)
}

// invocation returns what every agent of the run is given, with work or with a question, in a worktree that may not
// exist yet.
func (l *Launcher) invocation(state, tree string) providers.Invocation {
	return providers.Invocation{
		SpecID: l.Job.ID, Title: l.Job.Title, Worktree: tree, Dir: l.Folder(tree), PromptFile: filepath.Join(state, "prompt.md"),
		Project: l.Settings.Project, Model: l.Job.Model, Attempt: 1, Timeout: l.Settings.Timeout, RunID: l.Job.RunID,
		Home: l.Store.Home(), StateDir: state, Environ: l.Environ, Pass: l.Settings.Pass, Common: l.Repo.CommonDir(),
		Chant: l.Chant, GitDir: l.Repo.AdminDir(tree),
	}
}

// prepare has the provider create a launch whose output is redacted, and which runs behind the wall. Secrets in its
// settings are secrets of the run from then on.
func (l *Launcher) prepare(in providers.Invocation) (providers.Launch, sandbox.Bounds, error) {
	box := l.Sandbox()
	bind := box.ForAgent
	if in.ReadOnly {
		bind = box.ForReader
	}
	bounds, err := bind(in.Worktree, in.StateDir)
	if err != nil {
		return providers.Launch{}, bounds, err
	}
	if in.Walled = bounds.Wall != nil; in.Walled && !in.ReadOnly {
		bounds.Env = append(bounds.Env, relay.SocketKey+"="+box.Socket(in.Worktree), relay.RepoKey+"="+l.Repo.CommonDir())
	}
	in.Extra = append(in.Extra, bounds.Env...)
	launch, err := l.Provider.Prepare(in)
	// Also the key of the provider, whatever its variable is named.
	launch.Secrets = secret.From(slices.Concat(l.Environ, launch.Env)...).And(launch.KeyEnv, providers.Variable(launch.Env, launch.KeyEnv))
	l.Secrets.Learn(launch.Secrets)
	launch.Wall = bounds.Wall
	return launch, bounds, err
}

// Preflight checks whether the agent could be started at all, before a branch or a worktree is created.
func (l *Launcher) Preflight(ctx context.Context, s *spec.File) error {
	_, err := l.Plan(ctx, s)
	return err
}

// Planned is how a run would start its agent.
type Planned struct {
	Launch providers.Launch
	Prompt string
	Files  map[string]string // the files written for the agent, by path, without secrets
}

// Plan prepares launch and prompt as the run would, and leaves nothing behind.
func (l *Launcher) Plan(ctx context.Context, s *spec.File) (p Planned, err error) {
	defer func() { err = errors.Join(err, l.Store.ClearCache(l.Job.ID)) }()
	planned, site, err := l.planned()
	if err != nil {
		return p, err
	}
	if p.Launch, _, err = planned.launch(s); err != nil {
		return p, err
	}
	if p.Prompt, err = planned.Briefing.Text(ctx, s, site); err != nil {
		return p, err
	}
	files, err := l.Store.ReadCache(l.Job.ID)
	p.Files = map[string]string{}
	for path, content := range files {
		p.Files[path] = secret.InSettings(p.Launch.Secrets.Text(string(content)))
	}
	return p, err
}

// planned returns a launcher as it would be once the run had its worktree, and that worktree. Its attempt is a copy, so
// that planning leaves the run as it is.
func (l *Launcher) planned() (*Launcher, Site, error) {
	dir, err := l.TreePath(l.Job.ID)
	if err != nil {
		return nil, Site{}, err
	}
	a := l.ForJob(l.Job, l.Journal.History())
	trees := &tree.Trees{Attempt: a, Tree: dir}
	trees.NamePorts()
	return &Launcher{
		Attempt: a, Trees: trees, Places: l.Places, Guard: l.Guard, Provider: l.Provider, MCP: l.MCP,
		Briefing: &Briefing{Attempt: a, Code: l.Briefing.Code},
	}, Site{Tree: dir}, nil
}

// openTree undoes what the agent has made of git's files in and around the worktree that would stop git or lead it
// elsewhere, and returns what it found.
func (l *Launcher) openTree(ctx context.Context, mend func() ([]string, error)) ([]string, error) {
	mended, err := mend()
	if err != nil {
		return mended, err
	}
	pipes, err := l.Trees.OpenAfterAgent(ctx)
	return slices.Concat(mended, pipes), err
}

// restoreBranch creates the run's branch again if it was deleted while the agent worked: at the last commit that its
// worktree had checked out, else where the agent started. Without a branch, nothing would show that there is a run.
// It is unknown which program deleted it.
func (l *Launcher) restoreBranch(ctx context.Context, began string) error {
	ref := "refs/heads/" + l.Job.Branch
	_, err := l.Repo.Resolve(ctx, ref)
	if !errors.Is(err, gitops.ErrNotFound) || began == "" {
		return err
	}
	tip := began
	if last, err := l.Repo.LastHead(l.Trees.Tree); err == nil {
		// The last commit of a rewritten worktree may lack the start commit, and the run would count as rewritten.
		if grown, err := l.Repo.IsAncestor(ctx, began, last); err == nil && grown {
			tip = last
		}
	}
	if err := l.Repo.UpdateRef(ctx, ref, tip, "", "chant: restore "+l.Job.ID); err != nil {
		return err
	}
	if head, err := l.Repo.Head(ctx, l.Trees.Tree); err == nil && head.Branch == "" && head.Hash == tip {
		if err := l.Repo.Attach(ctx, l.Trees.Tree, l.Job.Branch); err != nil {
			return err
		}
	}
	l.Deleted = &journal.Failure{
		Kind: spec.ReasonStrayed, Next: next.Finalize.On(l.Job.ID),
		Message: fmt.Sprintf("branch %q was deleted during the run; it was restored at %s, its last commit", l.Job.Branch, attempt.Short(tip)),
	}
	l.Announce(journal.Agent, "warning", "%s", l.Deleted.Message)
	return nil
}

// PromptText returns the prompt of the next attempt, before anything is created.
func (l *Launcher) PromptText(ctx context.Context, s *spec.File) (string, error) {
	planned, site, err := l.planned()
	if err != nil {
		return "", err
	}
	return planned.Briefing.Text(ctx, s, site)
}

// Fill returns a text with the values that the prompt of the next attempt would have. Those that are given count before
// the spec's.
func (l *Launcher) Fill(ctx context.Context, s *spec.File, text string, given map[string]string) (string, error) {
	planned, site, err := l.planned()
	if err != nil {
		return "", err
	}
	return planned.Briefing.Fill(ctx, s, site, text, given)
}

// openSession begins the record of an agent.
func (l *Launcher) openSession() error {
	number := l.session.Number
	for _, a := range l.Journal.History().Attempts {
		if a.Number == l.Job.Attempt {
			number = max(number, len(a.Sessions))
		}
	}
	l.session, l.notes = journal.Session{Number: number + 1, Provider: l.Job.Provider, Began: l.Now().UTC()}, 0
	return l.Journal.Record(journal.Heard, journal.Note, l.session)
}

// Began returns when the agent at work, or the last one of this attempt, has started; zero if that is not known.
func (l *Launcher) Began() time.Time {
	began := l.session.Began
	for _, a := range l.Journal.History().Attempts {
		if n := len(a.Sessions); began.IsZero() && a.Number == l.Job.Attempt && n > 0 {
			// A process that was killed since has started it.
			began = a.Sessions[n-1].Began
		}
	}
	return began
}

// beginSession records the process of the agent.
func (l *Launcher) beginSession(p providers.Process) error {
	l.session.Process = &p
	return l.Journal.Record(journal.Heard, journal.Note, l.session)
}

// questionLauncher returns the run with the journal of questions, to which several processes may write at once.
func (l *Launcher) questionLauncher(about string) *Launcher {
	now := l.Now().UTC()
	return &Launcher{
		Attempt: attempt.New(attempt.Attempt{
			Store: l.Store, Now: l.Now, OnStep: l.OnStep,
			Job: journal.Job{ID: journal.QuestionsName, Provider: l.Job.Provider, Model: l.Job.Model},
		}, &journal.History{}, nil),
		Price: l.Price, Allow: l.Allow,
		session: journal.Session{Number: int(now.UnixNano()), Spec: about, Place: l.Job.ID, Provider: l.Job.Provider, Began: now},
	}
}

// closeSession records what an agent has used in total.
func (l *Launcher) closeSession(a *journal.AgentReport) error {
	l.session.ID, l.session.Seconds, l.session.Ended = a.SessionID, a.Seconds, true
	if spent := a.Spent(); spent != nil {
		l.session.Spent = spent
	}
	return l.Journal.Record(journal.Heard, journal.Done, l.session)
}

// maxFullNotes is up to how many notes of a session are all recorded. Of more, one in a hundredth of those before is: an agent can
// print millions, and every command reads the journal. The end of the session is always recorded.
const maxFullNotes = 100

// recordUse records what an event says about the session.
func (l *Launcher) recordUse(ev providers.Event) error {
	switch ev.Kind {
	case providers.Init:
		l.session.ID = ev.Session
	case providers.Spending:
		spent := l.withCost(*ev.Spent)
		l.session.Spent = &spent
	default:
		return nil
	}
	// Every command reads the journal, of which an agent once wrote 8 MB in two minutes (2026-11-28).
	if l.notes++; l.notes%max(1, l.notes/maxFullNotes) != 0 {
		return nil
	}
	return l.Journal.Record(journal.Heard, journal.Note, l.session)
}

// earlierUse returns what a resumed session had used, nil for a new one or if that is unknown: some CLIs report the use of
// the whole session each time it ends.
func (l *Launcher) earlierUse() *providers.Spent {
	if l.Job.Session == "" {
		return nil
	}
	var sum *providers.Spent
	for _, a := range l.Journal.History().Attempts {
		for _, s := range a.Sessions {
			if s.ID == l.Job.Session && s.Spent != nil {
				sum = sum.Plus(s.Spent)
			}
		}
	}
	return sum
}

// withCost fills in the requested model, and the cost by the project's prices, if the CLI reports neither.
func (l *Launcher) withCost(spent providers.Spent) providers.Spent {
	if spent.Model == "" {
		spent.Model = l.Job.Model
	}
	if spent.CostUSD == nil && spent.Usage != nil && l.Price != nil {
		spent.CostUSD = l.Price(spent.Model, *spent.Usage)
	}
	return spent
}

// LimitMet is a limit that an agent has met: its description, "" for none, and whether the spec sets it, so that an
// edit can raise it.
type LimitMet struct {
	Why    string
	OfSpec bool
}

// allow returns the limit at which the agent must stop, zero if it may continue.
func (l *Launcher) allow(spent providers.Spent) LimitMet {
	if l.Allow == nil {
		return LimitMet{}
	}
	return l.Allow(l.session, l.withCost(spent))
}

// maxUnanswered is how long an agent asks the API of its model in vain. A server that was away for less is not noticed; for
// longer, chant waits by itself, where people see until when, and another agent of the pool may work meanwhile.
const maxUnanswered = 30 * time.Second

// limits returns the limits of an agent of the run, its own and those that all agents share.
func (l *Launcher) limits() providers.Limits {
	return providers.Limits{Timeout: l.Settings.Timeout, Silence: l.Settings.Silence, Answer: maxUnanswered, Spend: func(s providers.Spent) string { return l.allow(s).Why }, Left: l.TimeLeft}
}

// report returns what is kept of an agent that has ended.
func (l *Launcher) report(out providers.Outcome) *journal.AgentReport {
	spent := l.withCost(providers.Spent{Usage: out.Usage, CostUSD: out.CostUSD, Model: out.Model})
	return &journal.AgentReport{
		OK: out.OK, Reason: text.Printable(out.Reason), Model: spent.Model, SessionID: cmp.Or(out.SessionID, l.session.ID), Text: out.Text,
		Usage: out.Usage, CostUSD: spent.CostUSD, Priced: out.CostUSD == nil && spent.CostUSD != nil, Turns: out.Turns,
		Denied: out.Denied, TimedOut: out.TimedOut && !out.Shared, Overdrawn: out.Overdrawn, Refused: out.Refused, Seconds: out.Duration.Seconds(), ExitCode: out.Exit.Code,
	}
}

// describeUse describes what an agent has used so far.
func describeUse(s providers.Spent) string {
	text := fmt.Sprintf("turn %d", s.Turns)
	if u := s.Usage; u != nil {
		text += fmt.Sprintf(", %d tokens in, %d out", u.Total()-u.Output, u.Output)
	}
	if s.CostUSD != nil {
		text += fmt.Sprintf(", $%.4f", *s.CostUSD)
	}
	return text
}

// toolListFile holds the mark of the run whose agent has used chant's MCP server.
const toolListFile = "met"

// RecordToolListing records that the agent of a run has asked chant's MCP server for its tools, or called one. mark is that of the run's processes.
func RecordToolListing(st *store.Store, id, mark string) error {
	_, err := st.WriteCache(id, toolListFile, []byte(mark+"\n"))
	return err
}

// warnUnusedServer warns of an agent that was given chant's MCP server and has never contacted it: most CLIs continue silently
// then.
func (l *Launcher) warnUnusedServer(launch providers.Launch) error {
	if !launch.Server {
		return nil
	}
	state, err := l.Store.CacheDir(l.Job.ID)
	if err != nil {
		return err
	}
	said, err := os.ReadFile(filepath.Join(state, toolListFile))
	// An earlier attempt may have left the file, so it names the run.
	if err == nil && strings.TrimSpace(string(said)) == l.Job.RunID {
		return nil
	}
	text := fmt.Sprintf("%s has never asked chant's MCP server for its tools, and called none of them", l.Job.Provider)
	l.Announce(journal.Agent, "warning", "%s", text)
	return l.Log.Line(warningPrefix + text)
}

// Prefixes of log lines about an agent that may be waiting for a person.
const (
	AsksPrefix   = "asks: "   // it has printed what looks like a question
	DeniedPrefix = "denied: " // a tool or a server was refused to it
)

// warningPrefix begins a log line about something that is not a failure.
const warningPrefix = "warning: "

// recordEvent writes an event to the log and passes it on. What the agent has used goes to the journal. Once the log is
// full, further output is not reported, since a run in the background would write it down as well.
func (l *Launcher) recordEvent(ev providers.Event) error {
	if err := l.recordUse(ev); err != nil {
		return err
	}
	kind, prefix, text := l.describe(ev)
	if ev.Kind == providers.Spending {
		l.Announce(journal.Agent, kind, "%s", text)
		return nil
	}
	// Read before the line is written, so that the warning comes once.
	full := l.Log.Full()
	if !full || ev.Kind == providers.Finished {
		l.Announce(journal.Agent, kind, "%s", text)
	}
	err := l.Log.Line(prefix + text)
	if !full && l.Log.Full() {
		l.Announce(journal.Agent, "warning", "the log of this attempt is full; what the agent prints from here on is dropped")
	}
	return err
}

// describe returns what kind of event it is for progress, the prefix of its line in the log, and its text.
func (l *Launcher) describe(ev providers.Event) (kind, prefix, text string) {
	kind, prefix, text = "output", logPrefix(ev.Kind), ev.Text
	switch ev.Kind {
	case providers.Spending:
		kind, text = "usage", describeUse(l.withCost(*ev.Spent))
	case providers.Text:
		kind = "text"
	case providers.ToolCall:
		kind, text = "tool", strings.TrimSpace(ev.Tool+" "+ev.Text)
	case providers.ToolResult:
		kind = "result"
	case providers.Denied:
		kind, text = "warning", strings.TrimSpace(ev.Tool+" "+ev.Text)
	case providers.Retry, providers.Asking:
		kind = "warning"
	case providers.Finished:
		kind = "finished"
	case providers.Stderr:
		kind = "stderr"
	}
	if (kind == "output" || kind == "stderr") && providers.Asks(text) {
		kind, prefix = "warning", AsksPrefix
	}
	return kind, prefix, text
}

// logPrefix returns the prefix of an event in the log. What the agent says, and lines outside its protocol, have none.
func logPrefix(kind providers.Kind) string {
	switch kind {
	case providers.ToolCall:
		return "tool: "
	case providers.ToolResult:
		return "result: "
	case providers.Denied:
		return DeniedPrefix
	case providers.Asking:
		return AsksPrefix
	case providers.Retry:
		return warningPrefix
	case providers.Finished:
		return "finished: "
	case providers.Stderr:
		return "stderr: "
	}
	return ""
}
