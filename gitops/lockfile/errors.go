package lockfile

import (
	"fmt"
	"time"
)

// HeldError says that a lock is held, and by whom as far as the file tells.
type HeldError struct {
	Path   string
	Holder Holder
}

// Error names the lock and its holder.
func (e *HeldError) Error() string {
	h := e.Holder
	if h.PID == 0 {
		return fmt.Sprintf("the lock %q is held by another process", e.Path)
	}
	return fmt.Sprintf("the lock %q is held by process %d on %q since %s (%s)",
		e.Path, h.PID, h.Host, h.Since.Format(time.RFC3339), h.What)
}
