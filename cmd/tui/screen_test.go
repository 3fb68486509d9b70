package tui

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine"

	"github.com/alecthomas/assert/v2"
)

// screen is a terminal as far as the renderer uses one: it takes bytes and shows rows.
type screen struct {
	mu            sync.Mutex
	changed       chan struct{} // has one value while there is unseen output
	rows          [][]rune
	x, y          int
	width, height int
	raw           bytes.Buffer
	rest          []byte // of a sequence or a character that has not ended
}

func newScreen(width, height int) *screen {
	s := &screen{changed: make(chan struct{}, 1), width: width, height: height}
	for range height {
		s.rows = append(s.rows, nil)
	}
	return s
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	s.raw.Write(p)
	text := string(append(s.rest, p...))
	for text != "" {
		n := s.take(text)
		if n == 0 {
			break
		}
		text = text[n:]
	}
	s.rest = []byte(text)
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return len(p), nil
}

// take executes the control sequence at the beginning of a text and returns its length,
// 0 when it has not ended yet.
func (s *screen) take(text string) int {
	switch text[0] {
	case '\x1b':
		return s.sequence(text)
	case '\a':
		return 1
	case '\r':
		s.x = 0
		return 1
	case '\b':
		s.x = max(0, s.x-1)
		return 1
	case '\n':
		s.x = 0 // as a terminal does that is not in raw mode, which the renderer believes
		s.down()
		return 1
	case '\t':
		s.x = min(s.width-1, s.x/8*8+8)
		return 1
	}
	for n, r := range text {
		if n == 0 && r != '\uFFFD' {
			s.put(r)
			return len(string(r))
		}
	}
	return 0
}

func (s *screen) put(r rune) {
	row := s.rows[s.y]
	for len(row) <= s.x {
		row = append(row, ' ')
	}
	row[s.x] = r
	s.rows[s.y] = row
	s.x++
}

func (s *screen) down() {
	if s.y < s.height-1 {
		s.y++
		return
	}
	s.rows = append(s.rows[1:], nil)
}

// sequence obeys an escape sequence.
func (s *screen) sequence(text string) int {
	if len(text) < 2 {
		return 0
	}
	if text[1] == 'M' {
		// One line up; the renderer takes it where that is shorter.
		s.y = max(0, s.y-1)
	}
	if text[1] != '[' {
		return 2
	}
	end := strings.IndexFunc(text[2:], func(r rune) bool { return r >= '@' && r <= '~' })
	if end < 0 {
		return 0
	}
	n, err := strconv.Atoi(text[2 : 2+end])
	if err != nil {
		n = 1
	}
	switch text[2+end] {
	case 'A':
		s.y = max(0, s.y-n)
	case 'B':
		s.y = min(s.height-1, s.y+n)
	case 'C':
		s.x += n
	case 'D':
		s.x = max(0, s.x-n)
	case 'G':
		s.x = n - 1
	case 'd':
		s.y = n - 1
	case 'K':
		s.rows[s.y] = s.rows[s.y][:min(s.x, len(s.rows[s.y]))]
	case 'J':
		s.rows[s.y] = s.rows[s.y][:min(s.x, len(s.rows[s.y]))]
		for y := s.y + 1; y < s.height; y++ {
			s.rows[y] = nil
		}
	case 'L':
		for range n {
			s.rows = append(s.rows[:s.y], append([][]rune{nil}, s.rows[s.y:s.height-1]...)...)
		}
	case 'P':
		row := s.rows[s.y]
		s.rows[s.y] = append(row[:min(s.x, len(row))], row[min(s.x+n, len(row)):]...)
	case 'X':
		for x := s.x; x < min(s.x+n, len(s.rows[s.y])); x++ {
			s.rows[s.y][x] = ' '
		}
	}
	return 2 + end + 1
}

// text is the content of the screen, without empty rows at its end.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, row := range s.rows {
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// await waits until a text is on the screen.
func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	deadline := time.After(time.Minute)
	for !strings.Contains(s.text(), text) {
		select {
		case <-s.changed:
		case <-deadline:
			t.Fatalf("%q never appears on the screen:\n%s\n%q", text, s.text(), s.raw.String())
		}
	}
}

// TestWatchMany_noGhosts: when runs end, and the view gets lower, nothing of what it showed
// before stays on the screen, by the bytes that the terminal gets.
func TestWatchMany_noGhosts(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}} {
		in, _ := keyboard(t)
		s := newScreen(size.width, size.height)
		s.Write([]byte("$ chant work --all\r\n"))
		err := WatchMany(t.Context(), in, s, Person{}, func() {}, func(_ context.Context, progress func(engine.Event)) error {
			for round := range 5 {
				ids := []string{"a", "b", "c", "d", "e", "f"}
				for _, id := range ids {
					progress(of(id + strconv.Itoa(round) + " started - agent"))
					progress(of(id + strconv.Itoa(round) + " text verify working"))
				}
				s.await(t, "6 running")
				for _, id := range ids[:round+1] {
					progress(of(id + strconv.Itoa(round) + " completed - landed on main"))
				}
				s.await(t, strconv.Itoa(5-round)+" running")
				for _, id := range ids[round+1:] {
					progress(of(id + strconv.Itoa(round) + " failed - exit code 1"))
				}
				s.await(t, "0 running")
				s.await(t, ids[5]+strconv.Itoa(round)+"  failed")
				if got := s.text(); strings.Contains(got, "working") || strings.Count(got, "running") != 1 {
					t.Errorf("after round %d:\n%s\n%q", round, got, s.raw.String())
				}
			}
			return nil
		})
		assert.NoError(t, err)
		rows := strings.Split(strings.TrimSpace(s.text()), "\n")
		if last := rows[len(rows)-1]; !strings.HasPrefix(last, "✓ 0 running, 15 completed, 15 failed") {
			t.Errorf("the last row is %q:\n%s", last, s.text())
		}
		if n := strings.Count(s.text(), "  failed  exit code 1"); size.height == 40 && n != 15 {
			t.Errorf("%d lines of failures:\n%s", n, s.text())
		}
	}
}
