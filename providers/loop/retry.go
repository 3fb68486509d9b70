package loop

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// The longest waits before a request is sent again.
const (
	maxBackOff    = 30 * time.Second
	maxRetryAfter = 2 * time.Minute // that a server may ask for; the run is paused for a longer one
)

// ask sends the conversation until there is a whole answer. What may pass is tried
// again, a few times, each time later.
func (r *running) ask(ctx context.Context) (answer, error) {
	messages, err := r.history.fit()
	if err != nil {
		return answer{}, err
	}
	c := conversation{System: system(r.ReadOnly), Messages: messages, Tools: r.box.tools}
	for try := 1; ; try++ {
		got, err := r.model.ask(ctx, c)
		if err == nil || ctx.Err() != nil {
			return got, errors.Join(err, ctx.Err())
		}
		// What a server refuses it will refuse again.
		if !isTransient(err) || try > r.retries() {
			return answer{}, err
		}
		wait := r.wait(err, try)
		text := fmt.Sprintf("attempt %d of %d in %s: %s", try+1, r.retries()+1, wait.Round(time.Millisecond), err)
		if err := r.out.say(textLine{sayRetry, text}); err != nil {
			return answer{}, err
		}
		if err := r.sleep(ctx, wait); err != nil {
			return answer{}, err
		}
	}
}

// isTransient reports whether a failure may be gone the next time: the server is busy or
// broken, or the connection is. What it refuses it will refuse again.
func isTransient(err error) bool {
	var status *statusError
	if errors.As(err, &status) {
		// For a longer wait than this, the run is paused by its caller.
		return !isPermanent(status.code) && status.retryAfter <= maxRetryAfter
	}
	var broken *brokenError
	return errors.As(err, &broken) && !isPermanent(broken.code)
}

// isPermanent reports whether a server that answers so would do it again; it does not when it
// is but asked too often, or took too long.
func isPermanent(code int) bool {
	return code >= 300 && code < 500 && code != http.StatusTooManyRequests && code != http.StatusRequestTimeout
}

// wait doubles with each try, up to a quarter more by chance so that many runs do not
// come back together. What the server asks for wins.
func (r *running) wait(err error, try int) time.Duration {
	var status *statusError
	if errors.As(err, &status) && status.retryAfter > 0 {
		return status.retryAfter
	}
	wait := time.Duration(r.RetryDelay) * time.Millisecond
	for range try - 1 {
		wait = min(2*wait, maxBackOff)
	}
	// A part by chance keeps many runs from coming back together.
	return wait + time.Duration(r.random()*float64(wait)/4)
}

// pause waits on the clock.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// system is the system message of the model.
func system(readOnly bool) string {
	text := "You are a software engineer at work in a git worktree. There is no person to answer questions. " +
		"Work by calling tools; paths are relative to the top of the worktree. Read a file before you edit it. " +
		"When a tool answers with an error, do what it says. "
	if readOnly {
		return text + "You can read, not change anything. Answer in plain text, without calling a tool, when you know enough."
	}
	return text + "When everything is done, answer with a short summary and call no tool."
}
