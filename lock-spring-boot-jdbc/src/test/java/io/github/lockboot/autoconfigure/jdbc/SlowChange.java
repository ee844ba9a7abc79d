package io.github.lockboot.autoconfigure.jdbc;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import liquibase.change.custom.CustomTaskChange;
import liquibase.database.Database;
import liquibase.exception.ValidationErrors;
import liquibase.resource.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/** A change during which a test does something. */
public final class SlowChange implements CustomTaskChange {

	/** What to do, by schema. Liquibase makes the instances of this class. */
	static final Map<String, Consumer<Database>> ACTIONS = new ConcurrentHashMap<>();

	private @Nullable String schema;

	public void setSchema(String schema) {
		this.schema = schema;
	}

	@Override
	public void execute(Database database) {
		ACTIONS.getOrDefault(Objects.requireNonNull(this.schema), (any) -> {
		}).accept(database);
	}

	@Override
	public String getConfirmationMessage() {
		return "done";
	}

	@Override
	public void setUp() {
	}

	@Override
	public void setFileOpener(ResourceAccessor resources) {
	}

	@Override
	public ValidationErrors validate(Database database) {
		return new ValidationErrors();
	}

}
