package lockfile

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"time"
)

// Holder is who holds a lock. Started is the start time of the process and Boot the
// running of the machine, both opaque, and "" where the system does not report them.
type Holder struct {
	PID     int       `json:"pid"`
	Started string    `json:"started"`
	Host    string    `json:"host"`
	Boot    string    `json:"boot"`
	Since   time.Time `json:"since"`
	What    string    `json:"what"`            // for people
	Role    Role      `json:"role,omitempty"`  // "" where the holder has not said, as in the file of an older version
	About   string    `json:"about,omitempty"` // the spec that it is about, "" where the holder has not said
}

// Role is what a holder does with its lock, for those who find it held.
type Role string

// The roles.
const (
	Brief   Role = "brief"   // it makes a short write: wait for it
	Works   Role = "works"   // it runs an agent and stops when it is asked to
	Lasting Role = "lasting" // it takes its time and is not interrupted
)

// Purpose is what a lock is taken for. Its fields are those of Holder.
type Purpose struct {
	What  string
	Role  Role
	About string
}

// Alive reports whether the holder is a running process as far as this process can know: a
// holder on another machine is taken for one, a holder without a name is not.
func (h Holder) Alive() bool {
	if h.PID == 0 {
		return false
	}
	// The processes of another machine cannot be seen from here, so its holder counts as alive.
	if host, err := os.Hostname(); err != nil || host != h.Host {
		return true
	}
	// Numbers of processes are used again, after a restart and within one running, so both times must agree.
	return h.Boot == bootID() && h.Started == startTime(h.PID)
}

// The first byte of the file is left alone: Windows keeps others from the locked range,
// and that is the byte flock locks.
const holderOffset = 1

func writeHolder(path string, h Holder) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return overwrite(path, append(text, '\n'))
}

// wipeHolder empties the file, or blanks it where it cannot be cut while it is locked.
func wipeHolder(path string) error {
	if os.Truncate(path, 0) == nil {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return overwrite(path, bytes.Repeat([]byte(" "), int(max(0, info.Size()-holderOffset))))
}

func overwrite(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	// The file is not cut first: a reader in between would find no holder.
	_, err = file.WriteAt(text, holderOffset)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}

// readHolder is the holder written in the file, zero when there is none. What an older,
// longer text left behind it is passed over.
func readHolder(path string) Holder {
	file, err := os.Open(path)
	if err != nil {
		return Holder{}
	}
	defer file.Close()
	var h Holder
	text := io.NewSectionReader(file, holderOffset, 64<<10)
	// The decoder stops after one value, so the rest of an older, longer text does not count.
	if json.NewDecoder(text).Decode(&h) != nil {
		return Holder{}
	}
	return h
}
