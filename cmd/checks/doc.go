// Package checks has the commands that check and change no spec: verify, drift, lint, ci,
// hooks and key, and the forms in which CI systems read what they find.
//
// It decides nothing: operations find what is wrong, and console prints.
package checks
