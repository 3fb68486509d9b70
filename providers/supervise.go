package providers

import (
	"context"
	"time"
)

// lookAround is the time between two looks at the process table while a child
// runs. They catch a descendant that will leave its group and clean its
// environment while its parent still exists.
const lookAround = 2 * time.Second

// ending describes the end of a supervised child.
type ending struct {
	exit                       Exit
	timedOut, silent, canceled bool
	late                       string // the limit of time that it shares with others, met
	overdrawn                  string // the limit of what it may use that was met
	refused                    string // why the model's API will not answer
	unanswered                 string // the last report of a CLI that asks the model's API in vain
	survivors                  []int  // processes that nothing could end
	walled                     error  // why what was behind the wall may live on
}

// supervise waits for the end of the child or of its time, then makes sure
// that nothing of it is left. A limit of silence needs the stream of its output.
func (c *child) supervise(ctx context.Context, lim Limits, out *stream) ending {
	end, ended := c.wait(ctx, lim, out)
	grace := lim.Grace
	if grace <= 0 {
		grace = defaultGrace
	}
	// The end of ctx may be why we stop; the child gets its grace all the same.
	_, end.survivors = c.family.stop(context.WithoutCancel(ctx), grace)
	// This kills those, too, that the table of processes no longer shows as the family's.
	end.walled = c.wall.End()
	if !ended {
		end.exit = <-c.exited
	}
	return end
}

// wait returns when the child has ended by itself, or must be stopped.
func (c *child) wait(ctx context.Context, lim Limits, out *stream) (end ending, ended bool) {
	timeout, stopTimeout := alarm(lim.Timeout)
	defer stopTimeout()
	shared, stopShared := alarm(lim.untilNextLeft())
	defer func() { stopShared() }()
	silence, stopSilence := alarm(lim.Silence)
	defer func() { stopSilence() }()
	look := time.NewTicker(lookAround)
	defer look.Stop()
	for {
		select {
		case exit := <-c.exited:
			return ending{exit: exit}, true
		case <-ctx.Done():
			return ending{canceled: true}, false
		case <-timeout:
			return ending{timedOut: true}, false
		case <-shared:
			// Other runs may have left more of the limit than was known when the alarm was set.
			if left, why := lim.Left(); why != "" && left <= 0 {
				return ending{timedOut: true, late: why}, false
			}
			shared, stopShared = alarm(lim.untilNextLeft())
		case <-silence:
			// Bytes may have come since the alarm was set, so the rest of the time is waited for.
			rest := lim.Silence - out.idle()
			if rest <= 0 {
				return ending{silent: true}, false
			}
			silence, stopSilence = alarm(rest)
		case why := <-out.limitReached():
			return ending{overdrawn: why}, false
		case why := <-out.refusal():
			return ending{refused: why}, false
		case last := <-out.unanswered():
			return ending{unanswered: last}, false
		case <-look.C:
			// A look now and then finds a descendant while its parent is still there to show the connection.
			c.family.grow(false)
			out.reportPending()
		}
	}
}

// untilNextLeft returns the time until Left is called again, 0 if there is no Left.
func (l Limits) untilNextLeft() time.Duration {
	if l.Left == nil {
		return 0
	}
	left, why := l.Left()
	if why == "" {
		return lookAround
	}
	return min(max(left, time.Millisecond), lookAround)
}

// alarm returns a channel that fires once after d, or never for d <= 0.
func alarm(d time.Duration) (<-chan time.Time, func() bool) {
	if d <= 0 {
		return nil, func() bool { return false }
	}
	timer := time.NewTimer(d)
	return timer.C, timer.Stop
}
