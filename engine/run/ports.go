package run

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops/lockfile"
)

// PortBase is the variable that tells the agent, the set-up and the criteria of a
// run the first of the TCP ports that are theirs.
const PortBase = "CHANT_PORT_BASE"

// Ports says which TCP ports are handed out: Count to each run, from Start on.
type Ports struct {
	Start, Count int
}

const (
	portsEnd    = 1 << 16
	portsPrefix = "ports " // begins what the lock of a range says that it is for
)

// lease is a range of ports that no other run of this repository has while the
// lock is held.
type lease struct {
	first int
	lock  *lockfile.Lock
}

// withPorts does something while the run has ports.
func (r *Run) withPorts(do func() error) error {
	giveBack, err := r.leasePorts()
	if err != nil {
		return err
	}
	return errors.Join(do(), giveBack())
}

// leasePorts takes the first free range, unless the run has one already. The
// ports are given back by what it returns, and by the kernel when the process dies.
func (r *Run) leasePorts() (giveBack func() error, err error) {
	if r.ports != nil || r.inRun() {
		return func() error { return nil }, nil
	}
	p := r.Settings.Ports
	for first := p.Start; p.Count > 0 && first+p.Count <= portsEnd; first += p.Count {
		l, err := r.tryPorts(first)
		if err != nil {
			return nil, err
		}
		if l != nil {
			r.ports = l
			return func() error { r.ports = nil; return l.lock.Release() }, nil
		}
	}
	return nil, &journal.Failure{Kind: spec.ReasonSetup, Message: fmt.Sprintf("no %d ports are left above %d for another run", p.Count, p.Start)}
}

// tryPorts takes one range; nil when another run has it.
func (r *Run) tryPorts(first int) (*lease, error) {
	path, err := r.Store.Local(store.Locks, fmt.Sprintf(".ports-%d.lock", first))
	if err != nil {
		return nil, err
	}
	if _, held := lockfile.HeldBy(path); held || r.portsOfKilled(path) {
		return nil, nil
	}
	lock, err := lockfile.Acquire(path, portsPrefix+r.Job.ID)
	var taken *lockfile.HeldError
	if errors.As(err, &taken) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &lease{first, lock}, nil
}

// portsOfKilled reports whether a range belongs to another run whose process was
// killed and that nobody has taken up yet: its agent may live on and listen.
func (r *Run) portsOfKilled(path string) bool {
	last, ok := lockfile.LastHolder(path)
	id, ours := strings.CutPrefix(last.What, portsPrefix)
	if !ok || !ours || id == r.Job.ID {
		return false
	}
	h, err := journal.ReadHistory(r.Store, id)
	return err != nil || h.Open() != nil
}

// inRun reports whether this process was started by the run itself, as when its
// agent asks for a check: then the ports are those the agent has.
func (r *Run) inRun() bool {
	has := func(name string) bool {
		return slices.ContainsFunc(r.Environ, func(kv string) bool { return strings.HasPrefix(kv, name) })
	}
	return slices.Contains(r.Environ, "CHANT_SPEC_ID="+r.Job.ID) && has(PortBase+"=")
}

// namePorts has the environment of a planned run name a port, without a lease.
func (r *Run) namePorts() { r.ports = &lease{first: r.Settings.Ports.Start} }

// portEnv is the entry for the run's environment.
func (r *Run) portEnv() []string {
	if r.ports == nil {
		return nil
	}
	return []string{PortBase + "=" + strconv.Itoa(r.ports.first)}
}
