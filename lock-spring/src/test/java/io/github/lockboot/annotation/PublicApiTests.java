package io.github.lockboot.annotation;

import java.io.IOException;
import java.net.URISyntaxException;

import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.PublicApi;

class PublicApiTests {

	@Test
	void publicApiIsThatOfTheList() throws IOException, URISyntaxException {
		PublicApi.assertUnchanged(DistributedLock.class);
	}

}
