package board

import (
	"strings"
	"testing"
	"time"

	"chant/engine/fleet"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// TestFleet: the board of a hub says in its last lines how the fleet is, until there is something else to say.
func TestFleet(t *testing.T) {
	t.Parallel()
	desk := sample()
	desk.fleet = &view.Fleet{Pulse: fleet.Pulse{
		Machines: []fleet.Machine{{Name: "hub"}, {Name: "w1\x1b[2J", Slots: 4, Busy: 3}}, Slots: 4, Busy: 3, Waiting: 12, Oldest: 90 * time.Second, Landings: 2.5,
	}}
	p := play(t, desk, 120, 40)
	line := "fleet: 2 machines, 3 of 4 slots busy, 12 waiting (the oldest for 1m30s), 2.5 landings a minute"
	p.shows(line)
	p.m.note = note{text: "Paused it"}
	if strings.Contains(p.text(), "fleet:") {
		t.Errorf("the note has no room:\n%s", p.text())
	}
	var plain strings.Builder
	Plain(&plain, view.BoardResult{Cards: desk.cards, Fleet: desk.fleet})
	assert.HasSuffix(t, plain.String(), "\n"+line+"; hub 0 of 0, w1 3 of 4\n")
}
