// Package setup prepares a repository: Init, the files that agent CLIs read, the demo, and the check of the settings.
//
// Only CheckConfig contacts servers, to find out whether they answer.
package setup
