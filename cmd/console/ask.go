package console

import (
	"bufio"
	"context"
	"fmt"
	"strings"
)

// Ask asks questions on the terminal, one after the other, and returns a line for each, without the blanks around it.
// The answers end with the input. It returns an error if the command is stopped while it waits.
func Ask(ctx context.Context, a *App, questions []string) ([]string, error) {
	lines := make(chan string)
	done := make(chan struct{})
	defer close(done)
	// In a goroutine, because a read cannot be interrupted; the process ends soon after.
	go func() {
		defer close(lines)
		for in := bufio.NewReader(a.In); ; {
			line, err := in.ReadString('\n')
			if err != nil && line == "" {
				return
			}
			select {
			case lines <- strings.TrimSpace(line):
			case <-done:
				return
			}
		}
	}()
	var answers []string
	for _, question := range questions {
		if _, err := fmt.Fprint(a.Screen.Err, question); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			fmt.Fprintln(a.Screen.Err)
			return nil, ctx.Err()
		case line, ok := <-lines:
			if !ok {
				fmt.Fprintln(a.Screen.Err)
				return answers, nil
			}
			answers = append(answers, line)
		}
	}
	return answers, nil
}
