package io.github.lockboot.autoconfigure.jdbc;

import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Migrations by Flyway, which have a lock that ends with its connection.
 */
@Tag("long")
class FlywayTests {

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2")
	@Timeout(120)
	void theNextInstanceGoesOnAfterAHolderWasKilled(TestDatabase database) {
		DriverManagerDataSource shared = (DriverManagerDataSource) database.dataSource();
		String schema = "f" + UUID.randomUUID().toString().replace("-", "");
		new JdbcTemplate(shared).execute("CREATE SCHEMA " + schema);
		String url = Objects.requireNonNull(shared.getUrl());
		String own = (database == TestDatabase.POSTGRESQL) ? url + "?currentSchema=" + schema
				: url.replace("/test", "/" + schema);
		String user = Objects.requireNonNull(shared.getUsername());
		try (JvmProcess holder = JvmProcess.start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), FlywayTests.class,
				own, user)) {
			holder.awaitLine("^migrating$", Duration.ofSeconds(60));
			holder.kill();
			migrate(own, user, false);
			assertThat(new JdbcTemplate(new DriverManagerDataSource(own, user, ""))
				.queryForList("SELECT name FROM steps", String.class)).containsExactly("next");
		}
	}

	/**
	 * Migrate until this JVM is killed.
	 */
	public static void main(String[] args) {
		migrate(args[0], args[1], true);
	}

	private static void migrate(String url, String user, boolean endless) {
		Flyway.configure()
			.dataSource(url, user, "")
			.javaMigrations(new V1__steps(endless))
			.locations(new String[0])
			.load()
			.migrate();
	}

	private static final class V1__steps extends BaseJavaMigration {

		private final boolean endless;

		V1__steps(boolean endless) {
			this.endless = endless;
		}

		@Override
		public void migrate(Context context) throws Exception {
			if (this.endless) {
				System.out.println("migrating");
				System.in.read();
			}
			try (Statement statement = context.getConnection().createStatement()) {
				statement.execute("CREATE TABLE steps (name VARCHAR(20))");
				statement.execute("INSERT INTO steps VALUES ('next')");
			}
		}

	}

}
