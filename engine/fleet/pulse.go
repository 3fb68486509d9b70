package fleet

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"chant/engine/store/disk"
	"chant/gitops"
)

// Pulse is how a fleet is, as its hub has seen it last. Times are by the clock of the hub, on which it is read, too.
type Pulse struct {
	At       time.Time     `json:"at"`
	Machines []Machine     `json:"machines"`
	Slots    int           `json:"slots"`
	Busy     int           `json:"busy"`
	Waiting  int           `json:"waiting"`             // entries of the queue
	Oldest   time.Duration `json:"oldest_ns,omitempty"` // how long the oldest of them has waited
	Landings float64       `json:"landings_per_minute"` // in the last minutes
}

// Machine is a node of a fleet in a pulse.
type Machine struct {
	Name  string `json:"name"`
	Slots int    `json:"slots"`
	Busy  int    `json:"busy"`
}

// pulsePath is the file in which the hub keeps the pulse of its fleet.
func pulsePath(r *gitops.Repo) string {
	return filepath.Join(r.CommonDir(), "chant", "fleet", "pulse.json")
}

// WritePulse records how the fleet is, for others who look at the clone of the hub.
func WritePulse(r *gitops.Repo, p Pulse) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(pulsePath(r)), 0o755); err != nil {
		return err
	}
	return disk.Write(pulsePath(r), append(text, '\n'), disk.Options{Mode: 0o644})
}

// RemovePulse removes what WritePulse has written.
func RemovePulse(r *gitops.Repo) error {
	err := os.Remove(pulsePath(r))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// ReadPulse returns what the hub has written last; false in a clone that is no hub, or whose hub has ended.
func ReadPulse(r *gitops.Repo) (Pulse, bool) {
	var p Pulse
	text, err := os.ReadFile(pulsePath(r))
	if err != nil || json.Unmarshal(text, &p) != nil {
		return Pulse{}, false
	}
	return p, true
}
