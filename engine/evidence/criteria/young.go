package criteria

import (
	"chant/engine/store/disk"
	"os"
	"time"
)

// How old a file must be before its stamp is enough: file systems count time in steps, and a second write within one
// step leaves no trace in the stamp. The coarsest steps are two seconds long. Those of systems that count nanoseconds are
// the ticks of the kernel, at most ten milliseconds.
const (
	minAge     = 2 * time.Second
	minTickAge = 20 * time.Millisecond
	maxTick    = 10 * time.Millisecond
)

// oldBefore returns the time before which a file of a folder must have been changed for its stamp to be enough. In a
// folder of ours a new file shows the time of the file system, and how finely it counts.
func oldBefore(dir string, ours bool) time.Time {
	fallback := time.Now().Add(-minAge)
	if !ours {
		return fallback
	}
	f, err := os.CreateTemp(dir, ".chant-time-*")
	if err != nil {
		return fallback
	}
	info, err := f.Stat()
	// A file that stays is reported as one that was added.
	_, _ = f.Close(), os.Remove(f.Name())
	if err != nil {
		return fallback
	}
	// A time that is a multiple of the tick may come from a file system that counts in coarse steps.
	if now := disk.FromInfo(info); now.Known() && now.Changed%int64(maxTick) != 0 {
		return time.Unix(0, now.Changed).Add(-minTickAge)
	}
	return fallback
}
