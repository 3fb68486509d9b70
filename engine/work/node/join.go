package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/fleet/pace"
	"chant/engine/run/usage"
	"chant/engine/spec/next"
	"chant/engine/store/local"
	"chant/engine/work/node/leader"
	"chant/engine/work/node/worker"
	"chant/providers"
	"chant/providers/cli"
	"chant/providers/loop"
)

// JoinInput says which fleet a machine joins, and what it offers.
type JoinInput struct {
	From        string   `json:"from" jsonschema:"File of an invitation, or address of a server: nats://host:port or tls://host:port"`
	Remote      string   `json:"remote,omitempty" jsonschema:"Address of the git remote; an invitation has it"`
	Slots       int      `json:"slots,omitempty" jsonschema:"Specs to work at once (default: half of the processors, at least 1)"`
	Labels      []string `json:"labels,omitempty" jsonschema:"Labels of this machine, which specs name under runs_on"`
	Name        string   `json:"name,omitempty" jsonschema:"Name of this machine in the fleet; an invitation has it (default: its host name)"`
	Project     string   `json:"project,omitempty" jsonschema:"Name of the queue on the server (default: the last part of the remote's address)"`
	Credentials string   `json:"credentials,omitempty" jsonschema:"File with the seed of an nkey or a .creds file; an invitation has a key"`
	CA          string   `json:"ca,omitempty" jsonschema:"File with the certificate that the server is checked with"`
	Dir         string   `json:"dir,omitempty" jsonschema:"Folder of the clone (default: the name of the project, in the current folder)"`
	Land        bool     `json:"land,omitempty" jsonschema:"Also lead, when no other machine does"`

	Observation

	Ready func(JoinResult) `json:"-"` // is called once the machine takes work; may be nil
}

// JoinResult describes a machine of a fleet.
type JoinResult struct {
	URL       string   `json:"url"`
	Project   string   `json:"project"`
	Node      string   `json:"node"`
	Dir       string   `json:"dir"`
	Slots     int      `json:"slots"`
	Labels    []string `json:"labels,omitempty"`
	Providers []string `json:"providers"`
	Leader    string   `json:"leader,omitempty"`  // machine that leads when this one joins, "" if none does
	Ended     int      `json:"ended"`             // specs that were worked to an end
	Metrics   string   `json:"metrics,omitempty"` // address of the page for Prometheus
}

// Join clones the remote of a fleet, or opens the clone that was made before, and works specs of its queue until it is
// stopped. The first Ctrl-C lets what runs end. dir is the current folder. Errors: NotFound for a remote or a server that
// does not answer, Conflict for a remote that refuses pushes and where another process takes part; else as the connection
// says.
func Join(ctx context.Context, dir string, o engine.Options, in JoinInput) (JoinResult, error) {
	result, err := join(ctx, dir, o, in)
	return engine.Done(result, err, "")
}

func join(ctx context.Context, dir string, o engine.Options, in JoinInput) (result JoinResult, err error) {
	if err := in.check(); err != nil {
		return JoinResult{}, err
	}
	m, url, err := in.membership(o.Environ)
	if err == nil {
		err = m.checkConnection()
	}
	if err != nil {
		return JoinResult{}, err
	}
	if in.Slots == 0 {
		in.Slots = max(1, runtime.NumCPU()/2)
	}
	// A clone may take long, and a Ctrl-C ends it at once.
	cloning, settled := cancelOnInterrupt(ctx, o.Interrupts)
	defer settled()
	at := filepath.Join(dir, cmp.Or(in.Dir, m.Project))
	if filepath.IsAbs(in.Dir) {
		at = in.Dir
	}
	if _, err := openClone(cloning, url, at, m.Remote, ""); err != nil {
		return JoinResult{}, err
	}
	settled()
	p, _, err := openIn(ctx, at, o, m.Remote)
	if err != nil {
		return JoinResult{}, err
	}
	if err := engine.MayInside(p, "fleet", ""); err != nil {
		return JoinResult{}, err
	}
	ctx, p, release, err := acquireClone(ctx, p)
	if err != nil {
		return JoinResult{}, err
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := m.write(p); err != nil {
		return JoinResult{}, err
	}
	ctx, settled = cancelOnInterrupt(ctx, p.Interrupts)
	defer settled()
	return in.work(ctx, p, m, settled)
}

// membership returns what an invitation or the flags say, and the address of the remote. The key of an invitation is kept
// in chant's folder of keys.
func (in JoinInput) membership(environ []string) (Membership, string, error) {
	inv, err := Invitation{URL: in.From}, error(nil)
	if !isServer(in.From) {
		inv, err = readInvitation(in.From)
	}
	if err != nil {
		return Membership{}, "", err
	}
	if in.Name != "" && inv.Node != "" && in.Name != inv.Node {
		return Membership{}, "", engine.Fail(engine.Usage, next.FleetJoin.Help(), "the key of this invitation is for the name %q, not for %q (join without another name, or with an invitation of that name)", inv.Node, in.Name)
	}
	url := cmp.Or(in.Remote, inv.Remote)
	if url == "" {
		return Membership{}, "", engine.Fail(engine.Usage, next.FleetJoin.On(in.From).Set("remote", "URL"), "nothing says which git remote to clone, because %q is not an invitation", in.From)
	}
	name, err := projectName(url)
	if err != nil {
		return Membership{}, "", err
	}
	m := Membership{URL: inv.URL, Project: cmp.Or(in.Project, inv.Project, name), Credentials: in.Credentials, CA: in.CA, Remote: "origin"}
	if m.Node, err = chooseNodeName(cmp.Or(in.Name, inv.Node)); err != nil || inv.Seed == "" {
		return m, url, err
	}
	k, err := keysOf(environ, m.Project)
	if err != nil {
		return m, url, err
	}
	// The key goes to the folder that is hidden from agents; the membership has only its path.
	m.Credentials = k.seedPath(m.Node)
	if err := k.write(m.Credentials, []byte(inv.Seed)); err != nil {
		return m, url, err
	}
	if inv.CA != "" {
		m.CA = filepath.Join(k.dir, m.Node+".ca.pem")
		err = k.write(m.CA, []byte(inv.CA))
	}
	return m, url, err
}

// work offers the slots of this machine until it is stopped. settled is called once it does.
func (in JoinInput) work(ctx context.Context, p *engine.Project, m Membership, settled func()) (result JoinResult, err error) {
	p, r, err := openIn(ctx, engine.Home(p), p.Options, m.Remote)
	if err != nil {
		return JoinResult{}, err
	}
	// Before the machine shows up in the fleet.
	if err := checkPush(ctx, p, r); err != nil {
		return JoinResult{}, err
	}
	broker, err := m.connect(ctx)
	if err != nil {
		return JoinResult{}, err
	}
	defer broker.Close()
	obs, p, stop, err := in.start(ctx, p, broker, m)
	if err != nil {
		return JoinResult{}, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	node := nodeOf(p, m.Node, in.Slots, in.Labels)
	leads, err := m.checkUnique(ctx, broker, node)
	if err != nil {
		return JoinResult{}, err
	}
	if in.Land {
		leads = cmp.Or(leads, m.Node)
	}
	node.Providers, node.Version = providersOf(ctx, p), p.Version
	r.Light = true
	w := &worker.Worker{P: p, Remote: r, Broker: broker, Node: node, Providers: providersOf}
	result = JoinResult{URL: m.URL, Project: m.Project, Node: m.Node, Dir: engine.Home(p), Slots: in.Slots, Labels: in.Labels, Providers: node.Providers, Leader: leads, Metrics: obs.Address()}
	settled()
	if in.Ready != nil {
		in.Ready(result)
	}
	var l *leader.Leader
	if in.Land {
		leads, leadRemote, err := ownClone(ctx, p, "lead", m.Remote)
		if err != nil {
			return result, err
		}
		l = &leader.Leader{P: leads, Remote: leadRemote, Broker: broker, Name: m.Node, Led: w.NoteLeading}
	}
	connectObserver(obs, w, l)
	err = runTogether(ctx, p, w, l)
	result.Ended = w.CountEnded()
	return result, err
}

// runTogether runs a worker and, if there is one, a leader. The first interrupt drains the worker, and the leader ends with
// it; the second stops both.
func runTogether(ctx context.Context, p *engine.Project, w *worker.Worker, l *leader.Leader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	drain := make(chan struct{})
	var others sync.WaitGroup
	others.Go(func() { heedInterrupts(ctx, p, drain, cancel) })
	leading, stop := context.WithCancel(ctx)
	defer stop()
	if l != nil {
		// Its error is that of the context.
		others.Go(func() { _ = l.Run(leading) })
		others.Go(func() { answerRequests(ctx, p, l) })
	}
	err := w.Run(ctx, drain)
	// Read before the contexts below are cancelled.
	stopped := ctx.Err() != nil
	stop()
	cancel()
	others.Wait()
	if stopped {
		return context.Canceled
	}
	return err
}

// answerRequests answers what the machines of the fleet ask of its hubs, as long as the process takes part in it.
func answerRequests(ctx context.Context, p *engine.Project, l *leader.Leader) {
	how := fleet.Keeping{
		Rules: map[string]fleet.Rule{pace.Kind: pace.Rule, fleet.BudgetKind: fleet.BudgetRule},
		Holds: l.Holds,
		Report: func(node, what string) {
			engine.Warn(p, "", fmt.Sprintf("machine %q does what it must not do: %s", node, what))
		},
	}
	for ctx.Err() == nil {
		if err := l.Broker.Keep(ctx, how); err != nil && ctx.Err() == nil {
			engine.Warn(p, "", "requests of machines cannot be answered: "+err.Error())
		}
		select {
		case <-ctx.Done():
		case <-p.After(fleet.HeartRate):
		}
	}
}

// heedInterrupts closes drain at the first interrupt, and cancels at the second.
func heedInterrupts(ctx context.Context, p *engine.Project, drain chan<- struct{}, cancel context.CancelFunc) {
	for first := true; ; first = false {
		select {
		case <-ctx.Done():
			return
		case <-p.Interrupts:
		}
		if !first {
			cancel()
			return
		}
		close(drain)
		engine.Warn(p, "", "nothing more is taken; what runs continues to its end. Ctrl-C again stops it")
	}
}

// nodeOf describes this machine, which works in a clone.
func nodeOf(p *engine.Project, name string, slots int, labels []string) fleet.Node {
	return fleet.Node{Name: name, Host: hostName(), Folder: engine.Home(p), Slots: slots, Labels: append([]string{runtime.GOOS}, labels...)}
}

// checkUnique refuses a node whose name another clone uses now: each would take the other's claims for its own. A record
// of this clone is that of a process that has died, because only one takes part in a fleet here. It returns the name of the
// machine that leads, "" if none does.
func (m Membership) checkUnique(ctx context.Context, b *jetstream.Broker, node fleet.Node) (leads string, err error) {
	nodes, err := b.Nodes(ctx)
	if err != nil {
		return "", m.problem(err)
	}
	return leaderBeside(node, nodes)
}

// leaderBeside returns the leader among the nodes that are there, and refuses a node whose name another clone uses.
func leaderBeside(node fleet.Node, nodes []fleet.Node) (leads string, err error) {
	for _, other := range nodes {
		if other.Format > fleet.Format {
			return "", engine.Wrap(&local.FormatError{What: fmt.Sprintf("the queue of machine %q", other.Name), Has: other.Format, Max: fleet.Format}, "")
		}
		if other.Landing {
			leads = other.Name
		}
		if other.Name == node.Name && (other.Host != node.Host || other.Folder != node.Folder) {
			return "", engine.Fail(engine.Conflict, next.FleetInvite.On("NAME"), "the name %q is in use by %q on %s (each machine needs an invitation of its own)", node.Name, other.Folder, other.Host)
		}
	}
	return leads, nil
}

// modelTimeout is how long the server of a model may take to answer.
const modelTimeout = time.Second

// providersOf lists the providers that can be used in a clone: their programs are there, and nothing suggests that a login
// is missing. Those that the project defines itself only need their program, and a model that is asked without a key needs
// a server that answers: a machine that offered one in vain would take its specs from those that have it.
func providersOf(ctx context.Context, p *engine.Project) []string {
	var out []string
	for _, name := range slices.Concat(cli.Names(), usage.OwnNames(p), slices.Collect(maps.Keys(p.Config.Providers))) {
		if isUsable(ctx, p, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isUsable reports whether a provider can be used in a clone.
func isUsable(ctx context.Context, p *engine.Project, name string) bool {
	d, err := usage.Describe(p, name)
	switch {
	case err != nil:
		// Lint and "config --validate" report it.
		return false
	case d.Loop != nil:
		return modelAnswers(ctx, *d.Loop, p.Environ)
	case d.Cli == nil:
		// A script needs no program of its own.
		return true
	case slices.Contains(usage.OwnNames(p), name):
		_, err := providers.Find(d.Cli.Command, engine.Home(p), p.Environ)
		return err == nil
	}
	// A machine that offers a provider in vain would take its specs from those that have it.
	state, _ := cli.LoginOf(name, p.Environ)
	return state != cli.NoLogin && cli.InstalledIn(name, engine.Home(p), p.Environ)
}

// modelAnswers reports whether a model can be asked: its key is there, or its server answers where it needs none.
func modelAnswers(ctx context.Context, l cli.Loop, environ []string) bool {
	key, err := l.Key(environ)
	switch {
	case err != nil || l.Check() != nil:
		return false
	case key != "":
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, modelTimeout)
	defer cancel()
	return loop.Reach(ctx, l.URL()) == nil
}
