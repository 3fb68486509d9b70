package console

import (
	"bufio"
	"context"
	"fmt"
	"strings"
)

// Confirm asks a question on the terminal and reports whether the answer is yes. No answer is a no. It returns an error
// if the command is stopped while it waits.
func Confirm(ctx context.Context, a *App, question string) (bool, error) {
	if _, err := fmt.Fprintf(a.Screen.Err, "%s [y/N] ", question); err != nil {
		return false, err
	}
	answers := make(chan string, 1)
	// In a goroutine, because a read cannot be interrupted; the process ends soon after.
	go func() {
		// At the end of the input, what there was is the answer.
		line, _ := bufio.NewReader(a.In).ReadString('\n')
		answers <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(a.Screen.Err)
		return false, ctx.Err()
	case answer := <-answers:
		answer = strings.ToLower(strings.TrimSpace(answer))
		return answer == "y" || answer == "yes", nil
	}
}
