package spec

import "time"

// Retry is where a spec stands that waits for its agent to be asked again. The key
// and its members are those of the older chant.
type Retry struct {
	Attempts int   `yaml:"attempts" json:"attempts"`                                   // retries scheduled so far
	Last     int64 `yaml:"last_retry_time,omitempty" json:"last_retry_time,omitempty"` // when the last attempt ended, ms since 1970
	Next     int64 `yaml:"next_retry_time,omitempty" json:"next_retry_time,omitempty"` // when the next may begin, ms since 1970
}

// Due is when the next attempt may begin.
func (r Retry) Due() time.Time { return time.UnixMilli(r.Next) }

// AwaitsRetry reports whether the spec's run was put off and continues by itself.
func (s *Spec) AwaitsRetry() bool { return s.Status == Paused && s.Fields.Retry != nil }
