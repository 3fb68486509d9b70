package criteria

import (
	"chant/engine/store/stamp"
	"os"
	"time"
)

// How old a file must be before its stamp is enough: file systems count time in steps, and a second write within one
// step leaves no trace in the stamp. The coarsest steps are two seconds long. Those of systems that count nanoseconds are
// the ticks of the kernel, at most ten milliseconds.
const (
	youngest     = 2 * time.Second
	youngestTick = 20 * time.Millisecond
	longestTick  = 10 * time.Millisecond
)

// oldBefore returns the time before which a file of a folder must have been changed for its stamp to be enough. In a
// folder of ours a new file shows the time of the file system, and how finely it counts.
func oldBefore(dir string, ours bool) time.Time {
	fallback := time.Now().Add(-youngest)
	if !ours {
		return fallback
	}
	f, err := os.CreateTemp(dir, ".chant-time-*")
	if err != nil {
		return fallback
	}
	info, err := f.Stat()
	_, _ = f.Close(), os.Remove(f.Name()) // a file that stays is reported as one that was added
	if err != nil {
		return fallback
	}
	if now := stamp.Of(info); now.Known() && now.Changed%int64(longestTick) != 0 {
		return time.Unix(0, now.Changed).Add(-youngestTick)
	}
	return fallback
}
