/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rusage.c - bench tool: runs a command, writes what it took */

/*
 * usage: rusage OUT COMMAND...
 *
 * SIGINT and SIGTERM are passed on.  OUT gets one line: seconds of CPU (user
 * and system, all threads and waited-for children), exit status, seconds by
 * the clock on the wall, peak memory in MB.
 */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t child;

static double wall_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pass_on(int sig)
{
	if (child > 0)
		kill(child, sig);
}

int main(int argc, char **argv)
{
	struct sigaction sa = {.sa_handler = pass_on};
	double start_s = wall_s();
	struct rusage ru;
	int status = 0;
	FILE *out;

	if (argc < 3)
		return 2;
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	child = fork();
	if (!child) {
		/* a shell's background child has SIGINT ignored */
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	while (wait4(child, &status, 0, &ru) < 0 && errno == EINTR)
		;
	out = fopen(argv[1], "w");
	if (!out)
		return 1;
	fprintf(out, "%.6f %d %.3f %ld\n",
		(double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) +
			1e-6 * (double)(ru.ru_utime.tv_usec +
					ru.ru_stime.tv_usec),
		WIFEXITED(status) ? WEXITSTATUS(status) : 255,
		wall_s() - start_s, ru.ru_maxrss * 1024 / 1000000);
	return fclose(out) ? 1 : 0;
}
