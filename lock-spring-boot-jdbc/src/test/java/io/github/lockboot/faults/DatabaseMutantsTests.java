package io.github.lockboot.faults;

import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.fixture.DatabaseServer;

/**
 * Tests of the suite itself: it has to detect locks in a database that are broken on
 * purpose. Runs in the profile {@code mutants} only.
 */
@Tag("mutants")
class DatabaseMutantsTests {

	@ParameterizedTest
	@EnumSource
	void aBrokenStatementIsDetected(StatementFlaw flaw) {
		try (@Nullable
		Topology topology = DatabaseTopology.of(DatabaseServer.Kind.POSTGRESQL).orElse(null)) {
			Assumptions.assumeTrue(topology != null, "PostgreSQL does not start on this machine");
			MutantsTests.assertDetected("DATABASE_" + flaw, topology, Pattern.compile(flaw.violation()),
					List.of("-D" + StatementFlaw.PROPERTY + "=" + flaw));
		}
	}

}
