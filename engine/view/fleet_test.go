package view_test

import (
	"testing"
	"time"

	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/view"
)

// TestFleetNow: what the hub wrote counts for a while, and no clone without a hub has it.
func TestFleetNow(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	if f := view.FleetNow(p); f != nil || f.String() != "" || f.Detail() != "" {
		t.Errorf("without a hub: %+v", f)
	}
	for age, want := range map[time.Duration]string{
		time.Second: "fleet: 1 machine, 1 of 2 slots busy, 0 waiting, 0.0 landings a minute; w 1 of 2",
		time.Minute: "",
	} {
		pulse := fleet.Pulse{At: p.Now().Add(-age), Machines: []fleet.Machine{{Name: "w", Slots: 2, Busy: 1}}, Slots: 2, Busy: 1}
		if err := fleet.WritePulse(p.Repo, pulse); err != nil {
			t.Fatal(err)
		}
		if got := view.FleetNow(p).Detail(); got != want {
			t.Errorf("%s old: %q, want %q", age, got, want)
		}
	}
	if err := fleet.RemovePulse(p.Repo); err != nil || view.FleetNow(p) != nil {
		t.Errorf("%v", err)
	}
}
