package worker

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"chant/engine"
)

// logEvery is how often the log of a run is looked at, and logMost how much of it is sent at once, in bytes: what the queue
// stores as one piece, so that a part which could not be sent is not there in half.
const (
	logEvery = 500 * time.Millisecond
	logMost  = 16 << 10
)

// sendLog sends what is appended to the log of a run to the fleet, until the context ends. A part that cannot be sent is
// sent again.
func (j *job) sendLog(ctx context.Context) {
	path := j.w.P.Store.LogPath(j.id)
	for said := false; ctx.Err() == nil; {
		sent, err := j.sendPart(context.WithoutCancel(ctx), path)
		if err != nil && !said {
			said = true
			engine.Warn(j.w.P, j.id, "its log is not sent for now: "+err.Error())
		}
		if sent < logMost || err != nil {
			j.w.pause(ctx, logEvery)
		}
	}
}

// sendRest sends what is left of the log when the work is over.
func (j *job) sendRest(ctx context.Context) error {
	for path := j.w.P.Store.LogPath(j.id); ; {
		if sent, err := j.sendPart(ctx, path); err != nil || sent == 0 {
			return err
		}
	}
}

// sendPart sends the next part of a log. It returns its size, 0 if there is none or it was not sent.
func (j *job) sendPart(ctx context.Context, path string) (sent int, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	part, err := io.ReadAll(io.NewSectionReader(f, j.logged, logMost))
	if err != nil || len(part) == 0 {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, exchangeTime)
	defer cancel()
	if err := j.send(ctx, part); err != nil {
		return 0, err
	}
	j.logged += int64(len(part))
	return len(part), nil
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
