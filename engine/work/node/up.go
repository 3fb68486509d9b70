package node

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/spec/next"
	"chant/engine/work/node/leader"
	"chant/engine/work/node/worker"
	"chant/gitops/lockfile"
)

// lockName names the lock of the process that takes part in a fleet in a clone.
const lockName = "fleet"

// defaultListen is where an embedded server listens unless an address was set.
const defaultListen = "127.0.0.1:4222"

// UpInput says how the hub of a fleet is started.
type UpInput struct {
	Listen  string   `json:"listen,omitempty" jsonschema:"Host and port of the embedded server (default: that of the last time, else 127.0.0.1:4222)"`
	Hosts   []string `json:"hosts,omitempty" jsonschema:"Further names and addresses by which machines reach the hub, for its certificate"`
	Slots   int      `json:"slots,omitempty" jsonschema:"Specs to work at once on this machine (default: 0)"`
	Labels  []string `json:"labels,omitempty" jsonschema:"Labels of this machine, which specs name under runs_on"`
	Name    string   `json:"name,omitempty" jsonschema:"Name of this machine in the fleet (default: its host name)"`
	Project string   `json:"project,omitempty" jsonschema:"Name of the queue on the server (default: the last part of the remote's address)"`

	Observation

	Ready func(UpResult) `json:"-"` // is called once the hub works; may be nil
	Start StartServer    `json:"-"` // starts the embedded server; nil in programs without one
}

// UpResult describes a hub.
type UpResult struct {
	URL     string `json:"url"`
	Project string `json:"project"`
	Remote  string `json:"remote"` // address of the git remote
	Node    string `json:"node"`
	Target  string `json:"target"`
	Server  string `json:"server"`            // embedded or external
	Join    string `json:"join,omitempty"`    // the command line for the first other machine
	Local   bool   `json:"local,omitempty"`   // only processes of this machine reach the server
	Metrics string `json:"metrics,omitempty"` // address of the page for Prometheus
}

// Up is the hub of a fleet: it starts a server for the queue, unless the settings name one, offers the specs that are
// ready, and lands what workers complete, until it is stopped. The first Ctrl-C lets what runs on this machine end. Errors:
// State without a remote, Conflict while a process takes part in a fleet here or the remote refuses pushes; else as the
// connection says.
func Up(ctx context.Context, p *engine.Project, in UpInput) (UpResult, error) {
	result, err := up(ctx, p, in)
	return engine.Done(result, err, "")
}

func up(ctx context.Context, p *engine.Project, in UpInput) (result UpResult, err error) {
	if err := engine.MayInside(p, "fleet", ""); err != nil {
		return UpResult{}, err
	}
	if err := in.check(); err != nil {
		return UpResult{}, err
	}
	ctx, p, release, err := acquireClone(ctx, p)
	if err != nil {
		return UpResult{}, err
	}
	defer func() { err = errors.Join(err, release()) }()
	// Until the hub works, a Ctrl-C ends it at once: nothing runs yet that could be let end.
	ctx, settled := cancelOnInterrupt(ctx, p.Interrupts)
	defer settled()
	h, err := newHub(ctx, p, in)
	if err != nil {
		return UpResult{}, err
	}
	h.settled = settled
	stop, err := h.serve(ctx)
	if err != nil {
		return UpResult{}, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	return h.work(ctx)
}

// acquireClone takes the lock of the clone, and has requests to stop its holder count as Ctrl-C.
func acquireClone(ctx context.Context, p *engine.Project) (context.Context, *engine.Project, func() error, error) {
	// The clones of its machines begin at the top.
	if folder := p.Repo.Folder(); folder != "" {
		return ctx, p, nil, engine.Fail(engine.State, next.Guide.On("projects"), "a fleet works the project at the top of a repository, and this one is in %q", folder)
	}
	path, err := engine.LockFor(p, lockName)
	var lock *lockfile.Lock
	if err == nil {
		lock, err = lockfile.Acquire(path, lockName)
	}
	if held, ok := errors.AsType[*lockfile.HeldError](err); ok {
		err = engine.Fail(engine.Conflict, next.FleetDown.On(), "a process takes part in a fleet here already: %d on %s", held.Holder.PID, held.Holder.Host)
	}
	if err != nil {
		return ctx, p, nil, err
	}
	ctx, p, listen := engine.AddStopRequests(ctx, p, lockName, lock)
	return ctx, p, func() error { return errors.Join(listen(), lock.Release()) }, nil
}

// cancelOnInterrupt ends a context at a Ctrl-C, until settled is called: before that nothing runs that could be let end.
func cancelOnInterrupt(ctx context.Context, interrupts <-chan struct{}) (_ context.Context, settled func()) {
	ctx, cancel := context.WithCancel(ctx)
	enough, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-interrupts:
			cancel()
		case <-ctx.Done():
		case <-enough:
		}
	}()
	return ctx, sync.OnceFunc(func() {
		close(enough)
		// Only then can no Ctrl-C be taken by this goroutine any more.
		<-ended
	})
}

// hubProcess is the hub of a fleet in this process.
type hubProcess struct {
	p      *engine.Project
	in     UpInput
	member Membership
	keys   keys
	remote string           // address
	listen string           // "" = the server is another process
	public string           // host by which other machines reach the server
	server Server           // nil = it is another process
	users  []jetstream.User // that it accepts

	settled func() // from here on a Ctrl-C lets what runs end
}

// newHub decides how the hub works: as it did the last time, unless the input says otherwise.
func newHub(ctx context.Context, p *engine.Project, in UpInput) (*hubProcess, error) {
	c := p.Config.Fleet
	h := &hubProcess{p: p, in: in}
	var err error
	if h.remote, err = remoteURL(ctx, p, c.Remote); err != nil {
		return nil, err
	}
	last, err := Member(p)
	if err != nil {
		return nil, err
	}
	if last == nil {
		last = &Membership{}
	}
	name, err := projectName(h.remote)
	if err != nil {
		return nil, err
	}
	h.member = Membership{Project: cmp.Or(in.Project, last.Project, name), Remote: c.Remote}
	if h.member.Node, err = chooseNodeName(cmp.Or(in.Name, last.Node)); err != nil {
		return nil, err
	}
	if h.keys, err = keysOf(p.Environ, h.member.Project); err != nil {
		return nil, err
	}
	if c.URL != "" {
		if in.Listen != "" {
			return nil, engine.Fail(engine.Usage, next.Config.On(), "fleet.url of the settings names a server, so none is started here")
		}
		settings, err := fromSettings(ctx, p)
		if err != nil {
			return nil, err
		}
		h.member.URL, h.member.Credentials, h.member.CA = settings.URL, settings.Credentials, settings.CA
		return h, nil
	}
	h.member.Credentials = h.keys.seedPath(h.member.Node)
	h.listen = cmp.Or(in.Listen, last.Listen, defaultListen)
	h.public = publicHost(h.listen, in.Hosts, last.Public)
	return h, nil
}

// serve starts the embedded server if there is to be one.
func (h *hubProcess) serve(ctx context.Context) (stop func() error, err error) {
	if h.listen == "" {
		return func() error { return nil }, nil
	}
	if h.in.Start == nil {
		return nil, engine.Fail(engine.State, next.Shell("go install ./cmd/..."), "this program has no server for a queue: it is in chant-fleet, which is built beside it; or fleet.url of the settings names a server")
	}
	public, err := jetstream.Key(h.member.Credentials)
	if err != nil {
		return nil, err
	}
	// The server has to know the hub's own key before it starts.
	if err := h.keys.addUser(jetstream.User{Name: h.member.Node, PublicKey: public, Role: jetstream.HubRole}); err != nil {
		return nil, err
	}
	if err := h.acceptFirst(); err != nil {
		return nil, err
	}
	users, err := h.keys.users()
	if err != nil {
		return nil, err
	}
	o := jetstream.ServerOptions{Project: h.member.Project, Listen: h.listen, Store: filepath.Join(h.p.Repo.CommonDir(), "chant", "fleet", "store"), Users: users}
	if o.Hosts, err = h.hosts(); err != nil {
		return nil, err
	}
	o.Certificates = h.keys.dir
	s, err := h.in.Start(ctx, o)
	if err != nil {
		return nil, listenError(h.listen, err)
	}
	h.recordAddresses(s)
	h.server, h.users = s, users
	return s.Stop, nil
}

// recordAddresses records where the server listens, and where this machine and others reach it.
func (h *hubProcess) recordAddresses(s Server) {
	scheme, address, _ := strings.Cut(s.URL(), "://")
	host, port, _ := net.SplitHostPort(address)
	h.member.Listen = address
	h.member.URL = scheme + "://" + net.JoinHostPort(ownAddress(host), port)
	if public := scheme + "://" + net.JoinHostPort(h.public, port); public != h.member.URL {
		h.member.Public = public
	}
	h.member.CA = s.Authority()
}

// hosts lists how other machines reach the server; none if it listens on loopback only, and so needs no certificate.
func (h *hubProcess) hosts() ([]string, error) {
	host, _, err := net.SplitHostPort(h.listen)
	if err != nil {
		return nil, err
	}
	if isLoopback(host) {
		return nil, nil
	}
	hosts := append([]string{ownAddress(host), hostName(), h.public}, h.in.Hosts...)
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		hosts = append(hosts, addresses()...)
	}
	return hosts, nil
}

// acceptUsers has the queue know the keys of those that the server accepts, and both those that are invited while it runs,
// until the returned function is called. The keys on a server of the team's own are not known.
func (h *hubProcess) acceptUsers(ctx context.Context, b *jetstream.Broker) (stop func(), err error) {
	if h.server == nil {
		return func() {}, nil
	}
	if err := b.Trust(ctx, keysByName(h.users)); err != nil {
		return nil, h.member.problem(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	var watcher sync.WaitGroup
	watcher.Go(func() { h.followUsers(ctx, b) })
	return func() { cancel(); watcher.Wait() }, nil
}

func keysByName(users []jetstream.User) map[string]string {
	keys := map[string]string{}
	for _, u := range users {
		keys[u.Name] = u.PublicKey
	}
	return keys
}

// followUsers accepts machines that are invited. The queue has a key before its machine can claim anything.
func (h *hubProcess) followUsers(ctx context.Context, b *jetstream.Broker) {
	before, _ := json.Marshal(h.users)
	for said := ""; ; {
		select {
		case <-ctx.Done():
			return
		// Well before the machine that was invited can have missed a heartbeat.
		case <-h.p.After(fleet.HeartRate / 3):
		}
		users, err := h.keys.users()
		now, _ := json.Marshal(users)
		if err == nil && bytes.Equal(now, before) {
			continue
		}
		if err == nil {
			// First the queue, then the server: a key that can connect must be known to the queue.
			err = errors.Join(b.Trust(ctx, keysByName(users)), h.server.SetUsers(users))
		}
		if err == nil {
			before = now
			// A failure that stays is reported once, not every few seconds.
		} else if ctx.Err() == nil && err.Error() != said {
			said = err.Error()
			engine.Warn(h.p, "", "invitations: "+said)
		}
	}
}

// listenError says what to do about an address on which no server can be started. The server has only a text for that, so
// the system is asked for the reason.
func listenError(listen string, err error) error {
	if _, ok := errors.AsType[*fleet.Problem](err); !ok {
		return err
	}
	// The server reports no reason, so the system is asked for the same address.
	free, why := net.Listen("tcp", listen)
	if why == nil {
		why = cmp.Or(free.Close(), err)
	}
	// Its form was checked before.
	switch host, _, _ := net.SplitHostPort(listen); {
	case errors.Is(why, syscall.EADDRINUSE):
		return engine.Fail(engine.Conflict, next.FleetUp.On().Set("listen", net.JoinHostPort(host, "0")), "no server can be started on %q: another process listens there (port 0 is any free one)", listen)
	case errors.Is(why, syscall.EADDRNOTAVAIL):
		return engine.Fail(engine.Conflict, next.FleetUp.On().Set("listen", "0.0.0.0:4222"), "no server can be started on %q: this machine does not have that address (0.0.0.0 is all that it has)", listen)
	}
	return engine.Fail(engine.Conflict, next.FleetUp.Help(), "no server can be started on %q: %s", listen, why)
}

// work leads, and works specs on this machine if it has slots.
func (h *hubProcess) work(ctx context.Context) (result UpResult, err error) {
	// Before the connection, since it has the address that the server got.
	if err := h.member.write(h.p); err != nil {
		return UpResult{}, err
	}
	broker, err := h.member.connect(ctx)
	if err != nil {
		return UpResult{}, err
	}
	defer broker.Close()
	accepted, err := h.acceptUsers(ctx, broker)
	if err != nil {
		return UpResult{}, err
	}
	defer accepted()
	obs, p, stop, err := h.in.start(ctx, h.p, broker, h.member)
	if err != nil {
		return UpResult{}, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	h.p = p
	leads, leadRemote, err := ownClone(ctx, h.p, "lead", h.member.Remote)
	if err != nil {
		return UpResult{}, err
	}
	// Before anything is offered: a worker that cannot push would do its work in vain.
	if err := checkPush(ctx, h.p, leadRemote); err != nil {
		return UpResult{}, err
	}
	w := &worker.Worker{P: leads, Remote: leadRemote, Broker: broker, Node: nodeOf(h.p, h.member.Node, h.in.Slots, h.in.Labels)}
	// Two machines of one name would take each other's claims for their own.
	if _, err := h.member.checkUnique(ctx, broker, w.Node); err != nil {
		return UpResult{}, err
	}
	w.Node.Version = h.p.Version
	if h.in.Slots > 0 {
		if w.P, w.Remote, err = ownClone(ctx, h.p, "work", h.member.Remote); err != nil {
			return UpResult{}, err
		}
		w.Node.Providers, w.Providers = providersOf(ctx, w.P), providersOf
	}
	result = UpResult{URL: cmp.Or(h.member.Public, h.member.URL), Project: h.member.Project, Remote: h.remote, Node: h.member.Node, Target: leadRemote.Target, Server: "external", Metrics: obs.Address()}
	if h.listen != "" {
		result.Server, result.Local = "embedded", isLocal(result.URL)
		if result.Join, err = h.firstInvitation(ctx); err != nil {
			return result, err
		}
	}
	// From here on runs may be under way, and a Ctrl-C lets them end.
	h.settled()
	if h.in.Ready != nil {
		h.in.Ready(result)
	}
	mirrored, err := h.mirror(ctx, broker)
	if err != nil {
		return result, err
	}
	defer mirrored()
	l := &leader.Leader{P: leads, Remote: leadRemote, Broker: broker, Name: h.member.Node, Led: w.NoteLeading}
	connectObserver(obs, w, l)
	return result, runTogether(ctx, h.p, w, l)
}

// mirror keeps in the user's clone what the fleet has elsewhere, until the returned function is called.
func (h *hubProcess) mirror(ctx context.Context, b *jetstream.Broker) (stop func(), err error) {
	r, err := remoteOf(ctx, h.p, h.member.Remote)
	if err != nil {
		return nil, err
	}
	m := &mirror{P: h.p, Broker: b, Remote: r}
	ctx, cancel := context.WithCancel(ctx)
	var ended sync.WaitGroup
	ended.Go(func() {
		if err := m.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			engine.Warn(h.p, "", "this clone does not show what the fleet does: "+err.Error())
		}
	})
	return func() { cancel(); ended.Wait() }, nil
}

// Server is a server of a queue in this process.
type Server interface {
	// URL is where it listens.
	URL() string
	// Authority is the file with the certificate that it is checked with, "" without TLS.
	Authority() string
	// SetUsers replaces those who may connect.
	SetUsers(users []jetstream.User) error
	// Stop ends it, and returns when everything is stored.
	Stop() error
}

// StartServer starts a server, and returns when it accepts connections. Package fleet/hub has one, which is large and
// costs time at each start, so that only the program chant-fleet has it.
type StartServer func(ctx context.Context, o jetstream.ServerOptions) (Server, error)
