package screen

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestMain is the fake pager too: the test program, started with FAKE_PAGER.
func TestMain(m *testing.M) {
	switch os.Getenv("FAKE_PAGER") {
	case "":
		os.Exit(m.Run())
	case "numbers": // each line with its number, as proof that it came by the pager
		lines := bufio.NewScanner(os.Stdin)
		for n := 1; lines.Scan(); n++ {
			fmt.Printf("%d:%s\n", n, lines.Text())
		}
		fmt.Println("LESS=" + os.Getenv("LESS"))
		os.Exit(3)
	case "quits": // after the first line
		line, _ := bufio.NewReaderSize(os.Stdin, 16).ReadString('\n')
		fmt.Print(line)
		os.Exit(1)
	case "stays":
		fmt.Println("here")
		select {}
	}
}

func pagerOf(t *testing.T, mode string, out io.Writer) *Pager {
	t.Helper()
	self, err := os.Executable()
	assert.NoError(t, err)
	return &Pager{Words: []string{self}, Environ: append(os.Environ(), "FAKE_PAGER="+mode), Out: out, Width: 10, Height: 4}
}

func TestPager(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                       "",
		"a\nb\nc\n":              "a\nb\nc\n", // fits, with a row for the prompt
		"a\nb\nc\nd\n":           "1:a\n2:b\n3:c\n4:d\nLESS=FRX\n",
		"a\nb\n0123456789x\n":    "1:a\n2:b\n3:0123456789x\nLESS=FRX\n", // three lines in four rows
		"a\nb\n\x1b[1m0123456\n": "a\nb\n\x1b[1m0123456\n",              // styles take no room
	} {
		for _, whole := range []bool{true, false} {
			var out bytes.Buffer
			p := pagerOf(t, "numbers", &out)
			p.Environ = slices.DeleteFunc(p.Environ, func(kv string) bool { return strings.HasPrefix(kv, "LESS=") })
			pieces := []string{text}
			if !whole {
				pieces = strings.SplitAfter(text, "")
			}
			for _, piece := range pieces {
				n, err := p.Write([]byte(piece))
				assert.Equal(t, len(piece), n, "%q", piece)
				assert.NoError(t, err, "%q", piece)
			}
			assert.NoError(t, p.Close(), "%q, whole %t", text, whole)
			assert.Equal(t, want, out.String(), "%q, whole %t", text, whole)
		}
	}
}

// TestPager_quits: a reader who has seen enough gets no error, however much is left to write.
func TestPager_quits(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := pagerOf(t, "quits", &out)
	line := []byte(strings.Repeat("x", 4095) + "\n")
	for range 1000 {
		n, err := p.Write(line)
		assert.Equal(t, len(line), n)
		assert.NoError(t, err)
	}
	err := p.Close()
	assert.NoError(t, err)
	assert.True(t, p.left, "%v %v", p.left, err)
	assert.Equal(t, string(line), out.String())
}

// TestPager_ends: a pager that waits for its reader ends with the process.
func TestPager_ends(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	from, to := io.Pipe()
	p := pagerOf(t, "stays", to)
	p.Until = ctx
	_, err := p.Write([]byte("a\nb\nc\nd\n"))
	assert.NoError(t, err)
	line, err := bufio.NewReader(from).ReadString('\n')
	assert.Equal(t, "here\n", line, "%v", err)
	stop()
	err = p.Close()
	assert.NoError(t, err)
	assert.True(t, p.process.ProcessState != nil, "%v, %v", err, p.process.ProcessState)
	assert.False(t, p.process.ProcessState.Success(), "%v, %v", err, p.process.ProcessState)
}

// TestPager_missing: what no pager shows goes to the screen, with a note.
func TestPager_missing(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	p := &Pager{Words: []string{"chant-has-no-such-pager"}, Out: &out, Err: &errs, Width: 10, Height: 2}
	for _, line := range []string{"a\n", "b\n", "c\n"} {
		_, err := p.Write([]byte(line))
		assert.NoError(t, err)
	}
	assert.NoError(t, p.Close())
	assert.Equal(t, "a\nb\nc\n", out.String())
	assert.HasPrefix(t, errs.String(), `the pager "chant-has-no-such-pager" cannot be started: `)
}

func TestPagerWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		environ, want []string
	}{
		{[]string{"PAGER="}, nil},
		{[]string{"PAGER=cat"}, nil},
		{[]string{"PAGER=more -s"}, []string{"more", "-s"}},
		{[]string{"PAGER=more", "CHANT_PAGER="}, nil},
		{[]string{"CHANT_PAGER=most", "PAGER=cat"}, []string{"most"}},
	} {
		assert.Equal(t, test.want, PagerWords(test.environ), "%q", test.environ)
	}
	got := PagerWords(nil)
	assert.False(t, got != nil && !slices.Equal(got, []string{"less", "-FRX"}), "without a variable: %q", got)
}
