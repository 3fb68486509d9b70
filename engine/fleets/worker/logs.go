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

// logEvery is how often the log of a run is looked at, and logMost how much of it is sent at once, in bytes.
const (
	logEvery = 500 * time.Millisecond
	logMost  = 64 << 10
)

// sendLog sends what is appended to the log of a run to the fleet, until the context ends and everything is sent.
func (j *job) sendLog(ctx context.Context) {
	path := j.w.P.Store.LogPath(j.id)
	at := sizeOf(path)
	for said := false; ; {
		j.w.pause(ctx, logEvery)
		ended := ctx.Err() != nil
		sent, err := j.sendPart(context.WithoutCancel(ctx), path, at)
		at += sent
		if err != nil && !said {
			said = true
			engine.Warn(j.w.P, j.id, "its log is not sent: "+err.Error())
		}
		if ended && (sent == 0 || err != nil) {
			return
		}
	}
}

// sendPart sends the next part of a log.
func (j *job) sendPart(ctx context.Context, path string, at int64) (sent int64, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	part, err := io.ReadAll(io.NewSectionReader(f, at, logMost))
	if err != nil || len(part) == 0 {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, exchangeTime)
	defer cancel()
	return int64(len(part)), j.w.Broker.Log(ctx, j.id, part)
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
