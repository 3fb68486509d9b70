package view_test

import (
	"testing"
	"time"

	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// TestFleetNow: what the hub wrote counts for a while, and no clone without a hub has it.
func TestFleetNow(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	f := view.FleetNow(p)
	assert.True(t, f == nil, "without a hub: %+v", f)
	assert.Equal(t, "", f.String(), "without a hub")
	assert.Equal(t, "", f.Detail(), "without a hub")
	for age, want := range map[time.Duration]string{
		time.Second: "fleet: 1 machine, 1 of 2 slots busy, 0 waiting, 0.0 landings a minute; w 1 of 2",
		time.Minute: "",
	} {
		pulse := fleet.Pulse{At: p.Now().Add(-age), Machines: []fleet.Machine{{Name: "w", Slots: 2, Busy: 1}}, Slots: 2, Busy: 1}
		assert.NoError(t, fleet.WritePulse(p.Repo, pulse))
		assert.Equal(t, want, view.FleetNow(p).Detail(), "%s old", age)
	}
	err := fleet.RemovePulse(p.Repo)
	assert.NoError(t, err)
	assert.True(t, view.FleetNow(p) == nil, "%v", err)
}
