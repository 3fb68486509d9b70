package providers

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"chant/providers/secret"
	"chant/text"
)

// stream carries the output of a run from two readers to one decoder. Events
// come from one goroutine, in the order of the lines of each pipe.
type stream struct {
	decoder Decoder
	watch   func(Event)
	secrets *secret.Redactor
	limit   func(Spent) string // nil: none
	stderr  tail
	spent   *Spent      // the last report
	broken  chan string // gets the limit that was met first
	refused chan string // gets why the model's API will not answer
	patience

	lines   chan line
	readers []reader
	decoded chan struct{}

	began    time.Time
	lastByte atomic.Int64 // nanoseconds after began; 0 is none yet
}

// reader reads one pipe to its end, and closes drained there.
type reader struct {
	pipe    *pipe
	drained chan struct{}
	pending *pending
}

// line is one line of output, or a note of our own.
type line struct {
	text    []byte
	dropped int
	stderr  bool
	asking  bool  // not ended yet
	skipped int64 // bytes of lines that were left out here; it has no text then
}

// flood limits the output that is looked at line by line. An agent that prints without end must not keep its run from
// ending: 200 million lines of one byte took 202 s, of which the log had no more room for 99 in 100.
type flood struct {
	plain  bool // a stream without a protocol: of what comes after a limit, its end alone counts
	read   int  // bytes, with those that a line takes in a log
	lines  int
	unused int64 // bytes of lines outside of the protocol that were left out
}

// maxOutput is the limit of one stream in bytes, that of the log of an attempt; inLog is what a line there has beside its
// text. maxLines is the limit in lines: each takes 5 µs for the log and for who follows it.
const (
	maxOutput = 64 << 20
	inLog     = 26
	maxLines  = 500_000
)

// use says what becomes of a line. All CLIs with a protocol print objects of JSON, one in a line, which are read to the end.
func (f *flood) use(text []byte) use {
	if f.read < maxOutput && f.lines < maxLines {
		f.read += len(text) + inLog
		f.lines++
		return sent
	}
	if f.plain {
		return enough
	}
	// Events of a protocol are read to the end: the last one decides about the run.
	if first := bytes.TrimLeft(text, " \t"); len(first) > 0 && first[0] == '{' {
		return sent
	}
	f.unused += int64(len(text)) + 1
	return unused
}

func newStream(l Launch, lim Limits, watch func(Event)) *stream {
	decoder := l.NewDecoder
	if decoder == nil {
		decoder = Lines
	}
	decode := decoder()
	// This decoder keeps the end of the output itself, so it has to know the secrets.
	if plain, ok := decode.(*lineDecoder); ok {
		plain.secrets = l.Secrets
	}
	if watch == nil {
		watch = func(Event) {}
	}
	return &stream{
		decoder:  decode,
		watch:    watch,
		secrets:  l.Secrets,
		limit:    lim.Spend,
		broken:   make(chan string, 1),
		refused:  make(chan string, 1),
		patience: newPatience(l, lim),
		lines:    make(chan line, 16),
		decoded:  make(chan struct{}),
		began:    time.Now(),
	}
}

// read begins to drain both pipes.
func (s *stream) read(out, errs *pipe) {
	for _, p := range []*pipe{out, errs} {
		r := reader{p, make(chan struct{}), &pending{}}
		s.readers = append(s.readers, r)
		go func() {
			defer close(r.drained)
			_, plain := s.decoder.(*lineDecoder)
			// Nothing on stderr is part of a protocol.
			flood := flood{plain: plain || p == errs}
			readLines(stamped{p, s, r.pending}, maxLine, func(text []byte, dropped int) use {
				became := flood.use(text)
				if became == sent || became == enough {
					// A full channel holds up the reader, and with it the agent: output is never lost by a slow watcher.
					s.lines <- line{text: text, dropped: dropped, stderr: p == errs}
				}
				return became
			}, func(bytes int64) { s.lines <- line{skipped: bytes, stderr: p == errs} })
			if flood.unused > 0 {
				s.lines <- line{skipped: flood.unused, stderr: p == errs}
			}
		}()
	}
	go func() {
		// One goroutine decodes both streams, so decoders and watchers need no locks.
		defer close(s.decoded)
		for l := range s.lines {
			s.decode(l)
		}
	}()
}

// reportPending reports an unfinished line after which the output has stopped. It never
// blocks: a slow decoder gets it the next time. A nil stream has nothing to report.
func (s *stream) reportPending() {
	if s == nil || s.idle() < lookAround {
		return
	}
	for _, r := range s.readers {
		text := r.pending.takePending()
		if !stopsToAsk(text) {
			continue
		}
		// The supervisor must not wait for a decoder that waits for its watcher.
		select {
		case s.lines <- line{text: []byte(text), asking: true}:
		default:
			r.pending.markUnreported()
		}
	}
}

func (s *stream) decode(l line) {
	if l.skipped > 0 {
		s.deliver(Event{Kind: Output, Text: fmt.Sprintf("(left out %d bytes of output beyond %d MiB or %d lines)", l.skipped, maxOutput>>20, maxLines)})
		return
	}
	// Such a text ends where it was cut, perhaps in the middle of a secret.
	if l.dropped > 0 || l.asking && len(l.text) >= pendingLimit {
		l.text = []byte(s.secrets.Whole(string(l.text)))
	}
	if l.asking {
		s.deliver(Event{Kind: Asking, Text: string(l.text)})
		return
	}
	if l.stderr {
		text := text.Line(s.secrets.Bytes(l.text))
		s.stderr.write([]byte(text + "\n"))
		var events []Event
		if d, ok := s.decoder.(StderrListener); ok {
			events = d.Stderr(text)
		}
		if events == nil {
			events = []Event{{Kind: Stderr, Text: text}}
		}
		for _, event := range events {
			s.deliver(event)
		}
	} else {
		for _, event := range s.decoder.Line(l.text) {
			s.deliver(event)
		}
	}
	if l.dropped > 0 {
		s.deliver(Event{Kind: Output, Text: fmt.Sprintf("(dropped %d bytes of a line beyond %d)", l.dropped, maxLine)})
	}
}

// finish waits until everything is decoded. It is called when all processes
// are gone but the survivors, which are reported.
func (s *stream) finish(end ending) {
	for _, r := range s.readers {
		r.pipe.finish(r.drained)
	}
	// The readers are done by now, so nothing more is sent.
	close(s.lines)
	<-s.decoded
	s.patience.end()
	if len(end.survivors) > 0 {
		s.deliver(Event{Kind: Output, Text: "(could not end process " + pidList(end.survivors) + ")"})
	}
	if end.walled != nil {
		s.deliver(Event{Kind: Output, Text: "(" + end.walled.Error() + ")"})
	}
}

// hasOutput reports whether any output came.
func (s *stream) hasOutput() bool { return s.lastByte.Load() != 0 }

// idle returns the time since the last byte, or since the start.
func (s *stream) idle() time.Duration {
	return time.Since(s.began) - time.Duration(s.lastByte.Load())
}

// stamped records when bytes arrive, and their end.
type stamped struct {
	io.Reader
	s       *stream
	pending *pending
}

func (r stamped) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if n > 0 {
		// It is never 0, which means that there was no byte.
		r.s.lastByte.Store(int64(time.Since(r.s.began)) | 1)
		r.pending.add(p[:n])
	}
	return n, err
}

// textLimit bounds the text of an event that repeats what a tool was given or
// answered, in bytes. What the agent itself says is never cut.
const textLimit = 2 << 10

// reasonLimit bounds why a run failed, in bytes.
const reasonLimit = 400

// deliver frees an event of secrets, cuts it and passes it on. It looks at what the
// session has used.
func (s *stream) deliver(e Event) {
	// Secrets are taken out before the text is cut: half of one would not be found.
	e.Text, e.Tool, e.Session = s.secrets.Text(e.Text), s.secrets.Text(e.Tool), s.secrets.Text(e.Session)
	switch e.Kind {
	case ToolCall, ToolResult, Denied, Retry:
		e.Text = text.ClipBytes(e.Text, textLimit)
	case Spending:
		s.spent = e.Spent.sanitize(s.spent)
		s.spent.Model = s.secrets.Text(s.spent.Model)
		e.Spent = s.spent
	case Init, Text, Finished, Output, Stderr, Asking:
	}
	e.Refused = text.ClipBytes(text.OneLine(s.secrets.Text(e.Refused)), reasonLimit)
	s.patience.observe(e)
	s.watch(e)
	if e.Refused != "" {
		s.stopRefused(e.Refused)
	}
	// The watcher has recorded the usage by then, so it is in the record of a run that is stopped for it.
	if e.Kind == Spending && s.limit != nil {
		s.checkLimits()
	}
}

// checkLimits asks whether the session may continue. Only the first limit it meets counts.
func (s *stream) checkLimits() {
	if why := s.limit(*s.spent); why != "" {
		select {
		case s.broken <- why:
		default:
		}
	}
}

// verdict is the decoder's without secrets and with the reason in one line, with the usage
// reported before if its end reports none. Secrets are taken out first: one with two spaces in
// it would not be found in one line.
func (s *stream) verdict(exit Exit) Verdict {
	v := s.decoder.Finish(exit)
	// A secret with two spaces would not be found after the text was folded.
	v.Text, v.Reason = s.secrets.Text(v.Text), text.ClipBytes(text.OneLine(s.secrets.Text(v.Reason)), reasonLimit)
	v.Model, v.SessionID = s.secrets.Text(v.Model), s.secrets.Text(v.SessionID)
	for i, tool := range v.Denied {
		v.Denied[i] = s.secrets.Text(tool)
	}
	v.Denied = slices.Compact(v.Denied)
	// The last report may have less than earlier ones, or none.
	told := Spent{Usage: v.Usage, CostUSD: v.CostUSD, Turns: v.Turns, Model: v.Model}
	all := told.sanitize(s.spent)
	v.Usage, v.CostUSD, v.Turns, v.Model = all.Usage, all.CostUSD, all.Turns, all.Model
	return v
}

// limitReached gets the limit that was met; of a nil stream nothing ever comes.
func (s *stream) limitReached() <-chan string {
	if s == nil {
		return nil
	}
	return s.broken
}
