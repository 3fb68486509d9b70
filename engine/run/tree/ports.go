package tree

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
)

const (
	portsEnd    = 1 << 16
	portsPrefix = "ports " // begins the label of the lock of a range
)

// lease is a range of ports that no other run of this repository uses while the lock is held.
type lease struct {
	first int
	lock  *lockfile.Lock
}

// WithPorts calls do while the run has ports.
func (t *Trees) WithPorts(do func() error) error {
	giveBack, err := t.LeasePorts()
	if err != nil {
		return err
	}
	return errors.Join(do(), giveBack())
}

// LeasePorts reserves the first free range, unless the run has one already. giveBack releases it; so does the kernel
// when the process dies.
func (t *Trees) LeasePorts() (giveBack func() error, err error) {
	if t.ports != nil || t.inRun() {
		return func() error { return nil }, nil
	}
	p := t.Settings.Ports
	for first := p.Start; p.Count > 0 && first+p.Count <= portsEnd; first += p.Count {
		l, err := t.tryPorts(first)
		if err != nil {
			return nil, err
		}
		if l != nil {
			t.ports = l
			return func() error { t.ports = nil; return l.lock.Release() }, nil
		}
	}
	return nil, &journal.Failure{Kind: spec.ReasonSetup, Message: fmt.Sprintf("no %d ports are left above %d for another run", p.Count, p.Start)}
}

// tryPorts reserves one range; nil if another run has it.
func (t *Trees) tryPorts(first int) (*lease, error) {
	path, err := t.Store.Local(local.Locks, fmt.Sprintf(".ports-%d.lock", first))
	if err != nil {
		return nil, err
	}
	if _, held := lockfile.HeldBy(path); held || t.portsOfKilled(path) {
		return nil, nil
	}
	lock, err := lockfile.AcquireFor(path, lockfile.Purpose{What: portsPrefix + t.Job.ID, Role: lockfile.Lasting, About: t.Job.ID})
	var taken *lockfile.HeldError
	if errors.As(err, &taken) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &lease{first, lock}, nil
}

// portsOfKilled reports whether a range belongs to another run whose process was killed and that has not been resumed
// yet: its agent may still be alive and listen.
func (t *Trees) portsOfKilled(path string) bool {
	last, ok := lockfile.LastHolder(path)
	id := last.About
	if text, ours := strings.CutPrefix(last.What, portsPrefix); id == "" && ours { // an older version names the run only there
		id = text
	}
	if !ok || id == "" || id == t.Job.ID {
		return false
	}
	h, err := journal.ReadHistory(t.Store, id)
	return err != nil || h.Open() != nil
}

// inRun reports whether the run itself started this process, as when its agent asks for a check: then the ports are
// those of the agent.
func (t *Trees) inRun() bool {
	has := func(name string) bool {
		return slices.ContainsFunc(t.Environ, func(kv string) bool { return strings.HasPrefix(kv, name) })
	}
	return slices.Contains(t.Environ, "CHANT_SPEC_ID="+t.Job.ID) && has(attempt.PortBase+"=")
}

// NamePorts makes the environment of a planned run name a port, without reserving it.
func (t *Trees) NamePorts() { t.ports = &lease{first: t.Settings.Ports.Start} }

// PortEnv returns the variable with the ports for the run's environment.
func (t *Trees) PortEnv() []string {
	if t.ports == nil {
		return nil
	}
	return []string{attempt.PortBase + "=" + strconv.Itoa(t.ports.first)}
}
