package io.github.lockboot.benchmarks.scenario;

import java.util.Collection;
import java.util.List;
import java.util.Objects;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

import io.github.lockboot.benchmarks.interceptor.InterceptorBenchmark;
import io.github.lockboot.benchmarks.report.Numbers;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;

/**
 * The cost of the annotation over the template.
 */
final class InterceptorScenario implements Scenario {

	private static final String ALLOCATED = "gc.alloc.rate.norm";

	@Override
	public String id() {
		return "interceptor";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Collection<RunResult> runs = measure(bed.effort());
		RunResult annotation = find(runs, "annotation");
		RunResult template = find(runs, "template");
		double nanos = nanos(annotation) - nanos(template);
		double bytes = bytes(annotation) - bytes(template);
		List<List<String>> rows = List.of(row("`execute` of the template", nanos(template), bytes(template)),
				row("`@DistributedLock`", nanos(annotation), bytes(annotation)), row("difference", nanos, bytes));
		return new ScenarioReport("Annotation over template",
				"A section that does nothing under a free lock of the local backend; JMH with its GC profiler.",
				new Table(List.of("ns", "bytes allocated"), rows),
				List.of(Requirement.atMost("microseconds over a direct `execute`, under 1", nanos / 1e3, 1)));
	}

	private static Collection<RunResult> measure(Effort effort) {
		TimeValue time = TimeValue.milliseconds(effort.windowMillis());
		try {
			return new Runner(new OptionsBuilder().include(InterceptorBenchmark.class.getName())
				.addProfiler(GCProfiler.class)
				.forks(Math.min(3, effort.rounds()))
				.warmupIterations(effort.rounds())
				.warmupTime(time)
				.measurementIterations(effort.rounds())
				.measurementTime(time)
				.build()).run();
		}
		catch (RunnerException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static RunResult find(Collection<RunResult> runs, String benchmark) {
		return runs.stream()
			.filter((run) -> run.getParams().getBenchmark().endsWith("." + benchmark))
			.findFirst()
			.orElseThrow();
	}

	private static List<String> row(String name, double nanos, double bytes) {
		return List.of(name, Numbers.brief(nanos), Numbers.brief(bytes));
	}

	private static double nanos(RunResult run) {
		return run.getPrimaryResult().getScore();
	}

	private static double bytes(RunResult run) {
		String key = run.getSecondaryResults()
			.keySet()
			.stream()
			.filter((name) -> name.endsWith(ALLOCATED))
			.findFirst()
			.orElseThrow();
		return Objects.requireNonNull(run.getSecondaryResults().get(key)).getScore();
	}

}
