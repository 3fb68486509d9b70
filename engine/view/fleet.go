package view

import (
	"fmt"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/fleet"
)

// pulseMost is how old what the hub has written about its fleet may be.
const pulseMost = 45 * time.Second

// Fleet is how the fleet is whose hub is in this clone.
type Fleet struct{ fleet.Pulse }

// FleetNow returns how the fleet is whose hub runs in this clone, nil if there is none. It uses no network.
func FleetNow(p *engine.Project) *Fleet {
	pulse, is := fleet.ReadPulse(p.Repo)
	// A hub that was killed leaves its last report behind.
	if !is || p.Now().Sub(pulse.At) > pulseMost {
		return nil
	}
	return &Fleet{pulse}
}

// String says in one line how the fleet is, "" without a fleet.
func (f *Fleet) String() string {
	if f == nil {
		return ""
	}
	out := fmt.Sprintf("fleet: %d %s, %d of %d slots busy, %d waiting", len(f.Machines), plural(len(f.Machines), "machine"), f.Busy, f.Slots, f.Waiting)
	if f.Oldest > 0 {
		out += fmt.Sprintf(" (the oldest for %s)", f.Oldest.Round(time.Second))
	}
	return out + fmt.Sprintf(", %.1f landings a minute", f.Landings)
}

// Detail is String with what each machine does.
func (f *Fleet) Detail() string {
	if f == nil {
		return ""
	}
	parts := make([]string, 0, len(f.Machines))
	for _, m := range f.Machines {
		parts = append(parts, fmt.Sprintf("%s %d of %d", m.Name, m.Busy, m.Slots))
	}
	return strings.TrimSuffix(f.String()+"; "+strings.Join(parts, ", "), "; ")
}
